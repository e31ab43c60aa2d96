vim.bo.commentstring = '-- %s'
vim.bo.comments = 's:{--,m: ,e:--},:--'
vim.bo.iskeyword = "@,48-57,_,'"
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.bo.autoindent = true
vim.bo.suffixesadd = '.fk'
vim.bo.include = [[^include\s\+]]

-- Without the parser there are the colours of `syntax/frank.vim` and the server's semantic tokens.
pcall(vim.treesitter.start)

require('frank').attach(vim.api.nvim_get_current_buf())
