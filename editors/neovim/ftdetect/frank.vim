" In Vim's language: Neovim 0.7 does not ask vim.filetype unless it is told to.
autocmd BufNewFile,BufRead *.fk setfiletype frank
