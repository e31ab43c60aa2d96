-- Three whole programs, typed letter by letter: what is expected is offered, nothing that is right is red, and
-- what stands there in the end is what was typed. nvim --headless -u NONE -l FILE FRANK NVIM
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local project = vim.fn.fnamemodify(here, ':p:h:h:h:h')
local frank, nvim = assert(arg[1]), assert(arg[2])
frank = vim.fn.fnamemodify(frank, ':p')

local failed = 0
local function check(what, right, found)
  io.stdout:write(right and 'ok    ' or 'FAIL  ', what, right and '' or ': ' .. vim.inspect(found), '\n')
  failed = failed + (right and 0 or 1)
end

-- What CTRL-X CTRL-O offers once so much of a line is typed.
local EXPECTED = {
  state = {
    ['stack xs <p'] = { 'push', 'pop' },
    ['attempt <f'] = { 'fault' },
    ['  if (d == 0) {fau'] = { 'fault' },
    ['main! = case (sta'] = { 'stack' },
  },
  gradient = {
    ['slope x = d {y -> p (li'] = { 'lift' },
    ['value n = eval'] = { 'evaluate' },
    ['backward x = evaluate (gr'] = { 'grad' },
  },
  generators = {
    ['range a b = if (a > b) {unit} {yi'] = { 'yield' },
    ['each f <y'] = { 'yield' },
    ['  let squares = toL'] = { 'toList' },
  },
}

local folder = vim.fn.resolve(vim.fn.tempname())
vim.fn.mkdir(folder, 'p')
vim.fn.writefile({}, folder .. '/frank.toml')

-- An editor of its own, which a person types into.
local editor = vim.fn.jobstart({ nvim, '--embed', '--headless', '-u', 'NONE', '-i', 'NONE', '-n' }, { rpc = true, cwd = folder })
local function ask(method, ...)
  return vim.rpcrequest(editor, method, ...)
end
local function lua(code, ...)
  return ask('nvim_exec_lua', code, { ... })
end
-- Until it has taken all that was typed, it does not answer.
local function press(keys)
  ask('nvim_input', keys)
  lua('return 1')
end
local function becomes(ask_it, right)
  local found
  vim.wait(20000, function()
    found = ask_it()
    return right(found)
  end, 20)
  return found
end

lua(
  [[
  local plugin, frank = ...
  vim.opt.runtimepath:prepend(plugin)
  vim.cmd('filetype plugin indent on')
  vim.cmd.runtime({ 'ftdetect/frank.vim', bang = true })
  vim.o.completeopt = 'menuone,noinsert,noselect'
  vim.diagnostic.config({ update_in_insert = true })
  require('frank').setup({ cmd = { frank, 'lsp' } })
  vim.cmd.runtime({ 'plugin/frank.lua', bang = true })
]],
  project .. '/editors/neovim',
  frank
)

local function errors()
  return lua([[
    return vim.tbl_map(function(one)
      return one.lnum + 1 .. ': ' .. one.message
    end, vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }))
  ]])
end
local function offered()
  return lua([[
    return vim.tbl_map(function(item)
      return item.abbr ~= '' and item.abbr or item.word
    end, vim.fn.complete_info({ 'items', 'pum_visible' }).items)
  ]])
end
local function shows(found, wanted)
  return vim.iter(wanted):all(function(word)
    return vim.iter(found):any(function(item)
      return vim.startswith(item, word)
    end)
  end)
end

for _, name in ipairs({ 'state', 'gradient', 'generators' }) do
  local lines = vim.fn.readfile(project .. '/tests/editors/lib/typed/' .. name .. '.fk')
  ask('nvim_command', 'edit! ' .. name .. '.fk')
  becomes(function()
    return lua([[return #vim.lsp.get_clients({ bufnr = 0, name = 'frank' })]])
  end, function(count)
    return count == 1
  end)
  press('i')
  for number, line in ipairs(lines) do
    if number > 1 then
      press('<CR>')
    end
    -- Indentation and the like that the editor writes by itself is typed over.
    if ask('nvim_get_current_line') ~= '' then
      press('<C-u>')
    end
    local typed = ''
    for letter in vim.gsplit(line, '') do
      press(letter == '<' and '<lt>' or letter)
      typed = typed .. letter
      local wanted = EXPECTED[name][typed]
      if wanted then
        press('<C-x><C-o>')
        local found = becomes(offered, function(all)
          return shows(all, wanted)
        end)
        check(name .. ': ' .. typed, shows(found, wanted), found)
        press('<C-e>')
      end
    end
    local next_line = lines[number + 1] or ''
    if line:find('%S') and not line:find('^%s*%-%-') and not next_line:find('^[ }]') then
      -- What waits until somebody pauses has come then, too.
      vim.wait(700)
      local red = becomes(errors, function(all)
        return #all == 0
      end)
      check(name .. ', line ' .. number .. ' is not red', #red == 0, red)
    end
  end
  press('<Esc>')
  local text = ask('nvim_buf_get_lines', 0, 0, -1, false)
  check(name .. ' is what was typed', vim.deep_equal(text, lines), text)
  ask('nvim_command', 'write')
end
vim.fn.jobstop(editor)
os.exit(failed == 0)
