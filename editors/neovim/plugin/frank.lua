if vim.g.loaded_frank then
  return
end
vim.g.loaded_frank = true
-- With `vim.g.frank_enable = false` the user starts the server in a way of their own.
if vim.g.frank_enable ~= false and vim.lsp.enable then
  vim.lsp.enable('frank')
end
