-- Drives Neovim's own client against the real server: nvim --headless -u NONE -i NONE -n -l FILE FRANK
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
vim.opt.runtimepath:prepend(vim.fs.dirname(here))
vim.cmd('filetype plugin on')
vim.cmd.runtime({ 'ftdetect/frank.vim', bang = true })

local program = assert(arg[1], 'the program frank is wanted')
require('frank').setup({ cmd = { vim.fs.abspath and vim.fs.abspath(program) or program, 'lsp' } })
vim.cmd.runtime({ 'plugin/frank.lua', bang = true })

local failed = 0
local function check(what, right, found)
  io.stdout:write(right and 'ok    ' or 'FAIL  ', what, right and '' or ': ' .. vim.inspect(found), '\n')
  failed = failed + (right and 0 or 1)
end

local folder = vim.fn.tempname()
vim.fn.mkdir(folder)
vim.fn.writefile({}, folder .. '/frank.toml')
vim.fn.writefile({
  'include ad-paper',
  '',
  'main : {Int}',
  'main! = evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c 1))',
  '',
  '-- | at 2',
  'cube : X -> [Smooth X]X',
  'cube x = p (c 1) (p (t (t x x) x) (n (t (c 4) (c 4))))',
}, folder .. '/nested.fk')
-- A file that is not opened.
vim.fn.writefile({ 'twice : Int -> Int', "twice n = case 'ä' { _ -> n + _ }" }, folder .. '/one.fk')
vim.cmd.edit(folder .. '/nested.fk')

check('the file type', vim.bo.filetype == 'frank', vim.bo.filetype)
check('the commands', vim.fn.exists(':FrankRun') == 2 and vim.fn.exists(':FrankDerivative') == 2)

local function errors()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end
vim.wait(20000, function() return #errors() > 0 end, 20)
local first = errors()[1] or {}
check('a diagnostic under x', first.code == 'FK0202' and first.lnum == 3 and first.col == 41, first)

local client = vim.lsp.get_clients({ bufnr = 0, name = 'frank' })[1]
check('a client', client ~= nil)
local function ask(method, params)
  local answer = client and client:request_sync(method, params, 20000, 0) or {}
  return answer.result, answer.err
end
local document = { uri = vim.uri_from_bufnr(0) }
local x = { line = 3, character = 41 }

local hover = ask('textDocument/hover', { textDocument = document, position = x })
check('hover', hover and hover.contents and vim.inspect(hover.contents):find('Dual') ~= nil, hover)

-- The same and more in a split, which follows the cursor until it is pinned.
vim.api.nvim_win_set_cursor(0, { 4, 41 })
vim.cmd.FrankInfo()
local function info()
  return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('frank://info'), 0, -1, false), '\n')
end
local function knows(what, text)
  vim.wait(20000, function() return info():find(text, 1, true) ~= nil end, 20)
  check(what, info():find(text, 1, true) ~= nil, info())
end
knows('what is known', 'x : Dual Int')
knows('who handles an instance', 'handled by d')
knows('the finding in full', 'Error FK0202')
vim.cmd.FrankInfo('pin')
vim.api.nvim_win_set_cursor(0, { 3, 0 })
vim.api.nvim_exec_autocmds('CursorMoved', { buffer = 0 })
check('pinned', info():find('x : Dual Int', 1, true) ~= nil, info())
vim.cmd.FrankInfo('pin')
knows('it follows again', 'main : {Int}')
vim.cmd('bwipeout frank://info')

-- A run state by state.
vim.cmd('FrankStep evaluate (t (c 2) 3)')
local function steps()
  local number = vim.fn.bufnr('frank://steps')
  return number == -1 and '' or table.concat(vim.api.nvim_buf_get_lines(number, 0, -1, false), '\n')
end
vim.wait(20000, function() return steps():find('evaluate') ~= nil end, 20)
check('the first state', vim.startswith(steps(), '1 of'), steps())
vim.api.nvim_feedkeys('c', 'xt', false)
check('the command on its way', steps():find('call\n\nevaluate (t (c 2) 3)', 1, true) ~= nil, steps())
local step_marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces()['frank.steps'], 0, -1, { details = true })
check('focus and frozen', #step_marks == 2 and step_marks[1][3] == 12 and step_marks[1][4].end_col == 17, step_marks)
vim.api.nvim_feedkeys('$', 'xt', false)
check('the value', steps():find('\n\n6', 1, true) ~= nil, steps())
vim.api.nvim_feedkeys('q', 'xt', false)
check('closed', vim.fn.bufnr('frank://steps') == -1, vim.fn.bufnr('frank://steps'))

-- Search by type: what is listed, and where choosing it leads.
local select, listed = vim.ui.select, nil
vim.ui.select = function(items, options, choose)
  listed = vim.tbl_map(options.format_item, items)
  choose(items[1])
end
vim.cmd('FrankFind List X -> {X -> Y} -> List Y')
vim.wait(20000, function() return vim.api.nvim_buf_get_name(0):find('prelude%.fk$') ~= nil end, 20)
check('found by its type', listed and listed[1]:find('^map : .*include prelude; order$') ~= nil, listed)
check('at its definition', vim.api.nvim_get_current_line():find('^map :') ~= nil, vim.api.nvim_get_current_line())
vim.ui.select = select
vim.cmd.buffer(vim.fn.bufnr(folder .. '/nested.fk'))

-- Holes: the next one, all of them, and a term that fills one.
vim.fn.writefile({
  'include prelude',
  '',
  '-- > half 4',
  '-- = 2',
  'half : Int -> Int',
  'half n = _half',
  '',
  'main : {Int}',
  "main! = case 'λ' { _ -> _ }",
}, folder .. '/holes.fk')
vim.cmd.edit(folder .. '/holes.fk')
local hole_buffer = vim.api.nvim_get_current_buf()
vim.wait(20000, function() return #vim.lsp.get_clients({ bufnr = 0, name = 'frank' }) == 1 end, 20)
vim.wait(20000, function() return #vim.diagnostic.get(0) == 2 end, 20)
local severities = vim.tbl_map(function(one) return one.severity end, vim.diagnostic.get(0))
check('holes are hints', vim.deep_equal(severities, { 4, 4 }), severities)
local function goes(what, command, row, column)
  vim.cmd(command)
  local function there() return vim.deep_equal(vim.api.nvim_win_get_cursor(0), { row, column }) end
  vim.wait(20000, there, 20)
  check(what, there(), vim.api.nvim_win_get_cursor(0))
end
vim.api.nvim_win_set_cursor(0, { 1, 0 })
goes('the next hole', 'FrankNextHole', 6, 9)
goes('the one behind it', 'FrankNextHole', 9, 25)
goes('round the end', 'FrankNextHole', 6, 9)
goes('back', 'FrankPreviousHole', 9, 25)
vim.cmd.FrankHoles()
vim.wait(20000, function() return #vim.fn.getqflist() > 0 end, 20)
local listed_holes = vim.tbl_map(function(item)
  return vim.fs.basename(vim.api.nvim_buf_get_name(item.bufnr)) .. ':' .. item.lnum .. ':' .. item.col .. ' ' .. item.text
end, vim.fn.getqflist())
check('all holes', vim.deep_equal(listed_holes, {
  'holes.fk:6:10 _half : Int, in half',
  'holes.fk:9:26 _ : Int, in main',
  'one.fk:2:32 _ : Int, in twice',
}), listed_holes)
vim.cmd.cclose()
vim.api.nvim_set_current_buf(hole_buffer)
vim.ui.select = function(items, options, choose)
  listed = vim.tbl_map(options.format_item, items)
  check('what was tried', options.prompt:find('terms begun in', 1, true) ~= nil, options.prompt)
  choose(items[1])
end
local function line(row) return vim.api.nvim_buf_get_lines(hole_buffer, row - 1, row, false)[1] end
vim.api.nvim_win_set_cursor(0, { 6, 12 })
vim.cmd.FrankFill()
vim.wait(20000, function() return not line(6):find('_half', 1, true) end, 20)
check('a term for which the example holds', listed and listed[1]:find('the examples hold$') ~= nil, listed)
check('it is written', 'half n = ' .. (listed and listed[1]:gsub('    the.*', '') or '') == line(6), line(6))
-- The same by the action, behind letters of several bytes.
vim.api.nvim_win_set_cursor(0, { 9, 25 })
listed = nil
vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title == 'Fill `_`…' end })
vim.wait(20000, function() return listed ~= nil and line(9) ~= "main! = case 'λ' { _ -> _ }" end, 20)
check('the action writes one', line(9) == "main! = case 'λ' { _ -> " .. tostring(listed and listed[1]) .. ' }', line(9))
vim.ui.select = select
vim.cmd('silent! write')
vim.cmd.buffer(vim.fn.bufnr(folder .. '/nested.fk'))
goes('from a file without holes', 'FrankNextHole', 2, 31)
check('to the next one', vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'one.fk', vim.api.nvim_buf_get_name(0))
vim.cmd.buffer(vim.fn.bufnr(folder .. '/nested.fk'))

local top = { line = 0, character = 0 }
local all = ask('textDocument/codeAction', {
  textDocument = document,
  range = { start = top, ['end'] = top },
  context = { diagnostics = {}, only = { 'source.fixAll' } },
})
check('all safe fixes', all and #all == 1 and all[1].edit ~= nil, all)

local actions = ask('textDocument/codeAction', {
  textDocument = document,
  range = { start = x, ['end'] = { line = 3, character = 42 } },
  context = { diagnostics = vim.tbl_map(function(one) return one.user_data.lsp end, vim.diagnostic.get(0)) },
})
local action = actions and actions[1]
check('a fix', action ~= nil and action.edit ~= nil, actions)
if action and action.edit then
  vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
  vim.wait(20000, function() return #errors() == 0 end, 20)
  check('the fix mends', #errors() == 0, vim.api.nvim_buf_get_lines(0, 3, 4, false))
end

local lenses = ask('textDocument/codeLens', { textDocument = document }) or {}
local titles = vim.tbl_map(function(lens) return lens.command and lens.command.title end, lenses)
check('lenses', vim.tbl_contains(titles, '▶ run') and vim.tbl_contains(titles, '∂ derivative'), titles)

-- What stands behind the first line of an operator.
local function shown(row)
  local marks = vim.api.nvim_buf_get_extmarks(0, require('frank').namespace, { row, 0 }, { row, -1 }, { details = true })
  return marks[1] and marks[1][4].virt_text[1][1]
end
local function becomes(what, row, text)
  vim.wait(20000, function() return shown(row) == text end, 20)
  check(what, shown(row) == text, shown(row))
end
vim.api.nvim_win_set_cursor(0, { 4, 0 })
vim.cmd.FrankRun()
becomes('the value', 2, '  = 1')
vim.api.nvim_win_set_cursor(0, { 8, 0 })
vim.cmd.FrankDerivative('2')
becomes('the derivative at a point', 6, '  at 2 = -7 · ∂ = 12')
vim.cmd.FrankDerivative('3')
becomes('the derivative at another point', 6, '  at 3 = 12 · ∂ = 27')
vim.cmd.FrankDerivative('second check 2')
vim.wait(20000, function() return (shown(6) or ''):find('∂²', 1, true) ~= nil end, 20)
check('the second derivative, checked', (shown(6) or ''):find('∂² = 12', 1, true) and (shown(6) or ''):find('differences agree', 1, true), shown(6))
vim.cmd.FrankClear()
check('nothing is shown', shown(2) == nil and shown(6) == nil)

os.exit(failed == 0)
