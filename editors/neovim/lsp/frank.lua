-- Read by `vim.lsp.enable('frank')`, of Neovim 0.11 and newer.
return require('frank').config()
