---@brief
---
--- https://github.com/frank-tools/frank
---
--- Language server of Frank, the language of effects and handlers.
---
--- The program `frank` has it: `pip install frank-tools`, `npm install --global @frank-tools/frank`, or an archive of the
--- releases. Neovim does not know the language's files by itself:
---
--- ```lua
--- vim.filetype.add({ extension = { fk = 'frank' } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'frank', 'lsp' },
  filetypes = { 'frank' },
  root_markers = { 'frank.toml', '.git' },
}
