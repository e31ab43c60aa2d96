-- :checkhealth frank

local M = {}

function M.check()
  local health = vim.health or require('health')
  local start = health.start or health.report_start
  local ok = health.ok or health.report_ok
  local warn = health.warn or health.report_warn
  local bad = health.error or health.report_error

  start('frank')
  local program = require('frank').options().cmd[1]
  if vim.fn.executable(program) == 0 then
    bad('the program `' .. program .. '` is not there: put it into PATH, or call require("frank").setup({ cmd = { … } })')
    return
  end
  ok(vim.trim(vim.fn.system({ program, '--version' })) .. ': ' .. vim.fn.exepath(program))
  vim.fn.system({ program, 'lsp', '--help' })
  if vim.v.shell_error == 0 then
    ok('it has a language server')
  else
    bad('it is too old: it has no command `lsp`')
  end
  if vim.lsp.enable then
    ok('Neovim starts the server itself')
  else
    ok('the plugin starts the server, as this Neovim is older than 0.11')
  end
  local loaded = pcall(function()
    assert((vim.treesitter.language.add or vim.treesitter.require_language)('frank') ~= nil)
  end)
  if loaded then
    ok('the parser is installed')
  elseif not vim.lsp.semantic_tokens then
    warn('no parser: colours are simple ones; see :help frank-parser')
  else
    warn('no parser: colours come from the server; see :help frank-parser')
  end
end

return M
