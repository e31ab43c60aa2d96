-- What the tree-sitter queries capture in programs, as Neovim's own tree-sitter sees it:
-- nvim --headless -u NONE -i NONE -n -l captures.lua PARSER QUERY PROGRAM… prints JSON: a list of
-- [capture, row, column, row, column] for each program, rows and columns in bytes from 0, ends exclusive.
local parser, query_file = arg[1], arg[2]
vim.treesitter.language.add('frank', { path = parser })
local query = vim.treesitter.query.parse('frank', table.concat(vim.fn.readfile(query_file), '\n'))
local answers = {}
for index = 3, #arg do
  local text = table.concat(vim.fn.readfile(arg[index], 'b'), '\n')
  local root = vim.treesitter.get_string_parser(text, 'frank'):parse()[1]:root()
  local captures = {}
  for id, node in query:iter_captures(root, text) do
    table.insert(captures, { query.captures[id], node:range() })
  end
  table.insert(answers, captures)
end
io.stdout:write(vim.json.encode(answers))
