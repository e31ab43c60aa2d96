-- The Neovim side of Frank: starts `frank lsp`, and shows what its commands answer.

local M = {}

local namespace = vim.api.nvim_create_namespace('frank')

-- The last point of each operator.
local points = {}

local options = {
  -- The program and its arguments.
  cmd = { 'frank', 'lsp' },
  -- The server's settings, as in the section `frank` of other editors.
  settings = {},
}

--- Changes options, before the first Frank file is opened: `cmd`, `settings`.
function M.setup(changes)
  options = vim.tbl_deep_extend('force', options, changes or {})
  -- Neovim has read the configuration already, perhaps.
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.config('frank', M.config())
  end
end

-- Neovim 0.11 has these keys of its own; older ones get them, where they are free.
local KEYS = {
  K = 'hover',
  grn = 'rename',
  gra = 'code_action',
  grr = 'references',
  gri = 'implementation',
  gO = 'document_symbol',
}

-- Lenses are asked for anew when the text has changed and when the server says so.
local function show_lenses(buffer)
  local group = vim.api.nvim_create_augroup('frank_lenses_' .. buffer, { clear = true })
  local function refresh()
    if vim.api.nvim_buf_is_loaded(buffer) then
      vim.api.nvim_buf_call(buffer, function()
        if vim.fn.has('nvim-0.10') == 1 then
          vim.lsp.codelens.refresh({ bufnr = buffer })
        else
          vim.lsp.codelens.refresh()
        end
      end)
    end
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buffer,
    callback = refresh,
  })
  refresh()
end

local function on_attach(client, buffer)
  if not vim.lsp.enable then
    vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
    for key, name in pairs(KEYS) do
      local taken = vim.tbl_filter(function(map)
        return map.lhs == key
      end, vim.api.nvim_buf_get_keymap(buffer, 'n'))
      if #taken == 0 and vim.fn.maparg(key, 'n') == '' then
        vim.keymap.set('n', key, vim.lsp.buf[name], { buffer = buffer, desc = 'Frank: ' .. name:gsub('_', ' ') })
      end
    end
  end
  local capabilities = client.server_capabilities or client.resolved_capabilities or {}
  if capabilities.codeLensProvider or capabilities.code_lens then
    show_lenses(buffer)
  end
end

-- What both ways of starting the server say.
local function client_config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.workspace.codeLens = { refreshSupport = true }
  -- There is a command for the action `Fill`, see below.
  capabilities.experimental = vim.tbl_extend('force', capabilities.experimental or {}, { frankFill = true })
  return {
    name = 'frank',
    cmd = options.cmd,
    settings = { frank = options.settings },
    capabilities = capabilities,
    on_attach = on_attach,
    handlers = {
      ['workspace/codeLens/refresh'] = function(_, _, context)
        for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(context.client_id)) do
          show_lenses(buffer)
        end
        return vim.NIL
      end,
    },
  }
end

--- What `vim.lsp.config` wants to know.
function M.config()
  return vim.tbl_extend('error', client_config(), {
    filetypes = { 'frank' },
    root_markers = { 'frank.toml', '.git' },
  })
end

local function clients(buffer)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = buffer, name = 'frank' })
  end
  return vim.tbl_filter(function(client)
    return client.name == 'frank'
  end, vim.lsp.buf_get_clients(buffer) or {})
end

-- Before 0.11 nothing starts servers by itself. One server serves all buffers.
local old_client

local function start_old(buffer)
  if old_client and not vim.lsp.client_is_stopped(old_client) then
    vim.lsp.buf_attach_client(buffer, old_client)
    return
  end
  local file = vim.api.nvim_buf_get_name(buffer)
  local config = client_config()
  local marker = vim.fs and vim.fs.find({ 'frank.toml', '.git' }, { path = vim.fn.fnamemodify(file, ':h'), upward = true })[1]
  config.root_dir = marker and vim.fn.fnamemodify(marker, ':h') or vim.fn.fnamemodify(file, ':p:h')
  old_client = vim.lsp.start_client(config)
  if old_client then
    vim.lsp.buf_attach_client(buffer, old_client)
  end
end

-- The name of the operator in which a line is: that of the last item that begins above it.
local function operator_at(buffer, line)
  for row = line, 1, -1 do
    local text = vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1]
    local name = text:match("^([%a_\128-\255][%w_'\128-\255]*)")
    if name then
      return name, row
    end
  end
end

-- Where results of an operator are shown: at its first line.
local function first_line(buffer, name)
  for row, text in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if text:match("^([%a_\128-\255][%w_'\128-\255]*)") == name then
      return row
    end
  end
end

local function show(buffer, name, text, group)
  local row = first_line(buffer, name)
  if not row then
    return
  end
  vim.api.nvim_buf_clear_namespace(buffer, namespace, row - 1, row)
  vim.api.nvim_buf_set_extmark(buffer, namespace, row - 1, 0, {
    virt_text = { { '  ' .. text, group } },
    hl_mode = 'combine',
  })
end

-- Sends a request to the server of a buffer; false if there is none.
local function send(buffer, method, params, answer)
  local client = clients(buffer)[1]
  if not client then
    return false
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answer, buffer)
  else
    client.request(method, params, answer, buffer)
  end
  return true
end

-- Sends a request, and calls `done` with the answer; says what went wrong, also that there is no server.
local function ask(buffer, method, params, done)
  local sent = send(buffer, method, params, function(problem, answer)
    if problem then
      vim.notify('frank: ' .. problem.message, vim.log.levels.ERROR)
    else
      done(answer)
    end
  end)
  if not sent then
    vim.notify('frank: no server serves this buffer; see :checkhealth frank', vim.log.levels.ERROR)
  end
end

local function request(buffer, command, arguments, done)
  local params = { command = command, arguments = arguments }
  ask(buffer, 'workspace/executeCommand', params, function(result)
    if type(result) == 'table' then
      done(result)
    end
  end)
end

--- Runs an operator, by default the one at the cursor.
function M.run(name)
  local buffer = vim.api.nvim_get_current_buf()
  name = name or operator_at(buffer, vim.api.nvim_win_get_cursor(0)[1])
  if not name then
    return
  end
  request(buffer, 'frank.run', { vim.uri_from_bufnr(buffer), name }, function(result)
    show(buffer, name, '= ' .. tostring(result.value), 'DiagnosticInfo')
    if result.output and result.output ~= '' then
      vim.api.nvim_echo({ { result.output } }, true, {})
    end
  end)
end

--- Evaluates an operator and its derivative. `at` is the text of a point, such as `2 3`, `[1, 2]` or
--- `pair 1 2`; with an empty one the server chooses. `options` may have `second` and `check`.
function M.derivative(name, at, options)
  local buffer = vim.api.nvim_get_current_buf()
  local arguments = at:match('%S') and { at = { at } } or vim.empty_dict()
  options = options or {}
  if options.second then
    arguments.order = 2
  end
  if options.check then
    arguments.check = true
  end
  request(buffer, 'frank.derivative', { vim.uri_from_bufnr(buffer), name, arguments }, function(result)
    local parts, first, agree = {}, nil, result.agree ~= false
    for _, derivative in ipairs(result.derivatives or {}) do
      local values = derivative.error or table.concat(derivative.values, ' ')
      first = first or (not derivative.error and values)
      table.insert(parts, derivative.by .. ' ' .. values)
    end
    local derivatives = agree and tostring(first) or ('they disagree: ' .. table.concat(parts, ', '))
    local where = table.concat(vim.tbl_map(tostring, result.at or {}), ' ')
    local text = string.format('at %s = %s · ∂ = %s', where, tostring(result.value or '?'), derivatives)
    if options.second or options.check then
      text = result.text or text
    end
    local fine = agree and result.checked ~= false
    show(buffer, name, text, fine and 'DiagnosticInfo' or 'DiagnosticError')
  end)
end

-- The buffer of what is known at the cursor, and whether it stays as it is.
local info = { pinned = false, asked = 0 }

-- Shows in the split what the server knows at the cursor of the current window.
local function show_info(buffer)
  if info.pinned or not info.buffer or vim.fn.bufwinid(info.buffer) == -1 then
    return
  end
  info.asked = info.asked + 1
  local mine = info.asked
  local client = clients(buffer)[1]
  local params = vim.lsp.util.make_position_params(0, client and client.offset_encoding)
  send(buffer, 'frank/info', params, function(problem, known)
    -- Older answers are not shown, nor those that an edit made useless.
    if problem or mine ~= info.asked or not vim.api.nvim_buf_is_valid(info.buffer) then
      return
    end
    local text = type(known) == 'table' and known.text or 'Nothing is known here.'
    vim.api.nvim_buf_set_option(info.buffer, 'modifiable', true)
    vim.api.nvim_buf_set_lines(info.buffer, 0, -1, false, vim.split(vim.trim(text), '\n'))
    vim.api.nvim_buf_set_option(info.buffer, 'modifiable', false)
  end)
end

--- Opens a split with all that is known at the cursor, which it follows; or `pin`s what is shown,
--- and lets it follow again.
function M.info(pin)
  local buffer = vim.api.nvim_get_current_buf()
  if pin then
    info.pinned = not info.pinned
  elseif not info.buffer or vim.fn.bufwinid(info.buffer) == -1 then
    local window = vim.api.nvim_get_current_win()
    vim.cmd('rightbelow vnew')
    info.buffer, info.pinned = vim.api.nvim_get_current_buf(), false
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile, vim.bo.buflisted = 'nofile', 'wipe', false, false
    vim.wo.wrap, vim.wo.number, vim.wo.relativenumber = true, false, false
    vim.api.nvim_buf_set_name(info.buffer, 'frank://info')
    vim.api.nvim_set_current_win(window)
  end
  show_info(buffer)
end

--- Shows in a split, state by state, the run of an operator, of a term, or of `main`.
function M.step(what)
  local buffer = vim.api.nvim_get_current_buf()
  local subject = vim.trim(what or '')
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  params[subject:match("^[%w_']*$") and 'name' or 'term'] = subject == '' and 'main' or subject
  send(buffer, 'frank/step', params, function(problem, run)
    if problem then
      vim.notify(problem.message, vim.log.levels.ERROR)
    else
      require('frank.steps').show(run)
    end
  end)
end

local function go_to(location, encoding)
  if vim.lsp.util.show_document then
    vim.lsp.util.show_document(location, encoding, { focus = true })
  else
    vim.lsp.util.jump_to_location(location, encoding)
  end
end

--- Lists what has a type, and goes to what is chosen.
function M.find(ty)
  local buffer = vim.api.nvim_get_current_buf()
  local client = clients(buffer)[1]
  local params = { type = ty, textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  ask(buffer, 'frank/findByType', params, function(answer)
    local mistake = type(answer) ~= 'table' and { message = 'no answer' } or answer.mistakes[1]
    if mistake then
      vim.notify('frank: ' .. mistake.message, vim.log.levels.ERROR)
      return
    end
    local found, prompt = answer.found, 'What has this type:'
    if #found == 0 then
      prompt = 'Nothing has this type; the nearest:'
      found = type(answer.nearest) == 'table' and { answer.nearest } or {}
    end
    if #found == 0 then
      vim.notify('frank: nothing has this type, or one that says the same', vim.log.levels.WARN)
      return
    end
    vim.ui.select(found, {
      prompt = prompt,
      kind = 'frank',
      format_item = function(one)
        return string.format('%s : %s    %s', one.name, one.type, one.text)
      end,
    }, function(chosen)
      if chosen then
        go_to(chosen.location, client.offset_encoding)
      end
    end)
  end)
end

-- How `frank/holes.lua` speaks with the server of a buffer.
local server = {
  ask = ask,
  go_to = go_to,
  encoding = function(buffer)
    local client = clients(buffer)[1]
    return client and client.offset_encoding or 'utf-16'
  end,
}

--- Goes to the hole behind the cursor, or before it.
function M.next_hole(forwards)
  require('frank.holes').beside(server, forwards)
end

--- Puts all holes of the workspace into the quickfix list.
function M.holes()
  require('frank.holes').list(server)
end

--- Lists terms for the hole at the cursor, and writes the one that is chosen.
function M.fill()
  require('frank.holes').fill(server)
end

-- A lens that leads to places fills the quickfix list with them.
if vim.lsp.commands then
  vim.lsp.commands['frank.showReferences'] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    local encoding = client and client.offset_encoding or 'utf-16'
    local items = vim.lsp.util.locations_to_items(command.arguments[3], encoding)
    vim.fn.setqflist({}, ' ', { title = command.title, items = items })
    vim.cmd(#items == 1 and 'cfirst' or 'botright copen')
  end
  vim.lsp.commands['frank.fill'] = function(command)
    local uri, position = unpack(command.arguments)
    require('frank.holes').fill(server, { textDocument = { uri = uri }, position = position })
  end
end

--- Gives a buffer its commands, and a server where Neovim does not do that itself.
function M.attach(buffer)
  local function command(name, run, about)
    vim.api.nvim_buf_create_user_command(buffer, name, run, { nargs = '*', desc = about })
  end
  command('FrankRun', function(call)
    M.run(call.fargs and call.fargs[1] or call.args:match('%S+'))
  end, 'Run the operator at the cursor, or the named one')
  command('FrankDerivative', function(call)
    local name = operator_at(buffer, vim.api.nvim_win_get_cursor(0)[1])
    if not name then
      return
    end
    -- Words in front of the point say what else is wanted.
    local typed, options = vim.trim(call.args), {}
    local word, rest = typed:match('^(%a+)(.*)$')
    while word == 'second' or word == 'check' do
      options[word] = true
      typed = vim.trim(rest)
      word, rest = typed:match('^(%a+)(.*)$')
    end
    if typed ~= '' then
      points[name] = typed
      M.derivative(name, typed, options)
      return
    end
    vim.ui.input({ prompt = 'Point of ' .. name .. ': ', default = points[name] or '' }, function(point)
      if point then
        points[name] = point
        M.derivative(name, point, options)
      end
    end)
  end, 'Evaluate the operator at the cursor and its derivative at a point')
  command('FrankInfo', function(call)
    M.info(vim.trim(call.args) == 'pin')
  end, 'Show all that is known at the cursor in a split; `pin` keeps it there')
  command('FrankStep', function(call)
    M.step(call.args)
  end, 'Show the run of `main`, an operator or a term state by state')
  command('FrankFind', function(call)
    local typed = vim.trim(call.args)
    if typed ~= '' then
      M.find(typed)
      return
    end
    vim.ui.input({ prompt = 'Type: ' }, function(ty)
      if ty and vim.trim(ty) ~= '' then
        M.find(ty)
      end
    end)
  end, 'List what has a type, and go to what is chosen')
  command('FrankNextHole', function()
    M.next_hole(true)
  end, 'Go to the hole behind the cursor')
  command('FrankPreviousHole', function()
    M.next_hole(false)
  end, 'Go to the hole before the cursor')
  command('FrankHoles', M.holes, 'List the holes of the workspace in the quickfix list')
  command('FrankFill', function()
    M.fill()
  end, 'List terms for the hole at the cursor, and write the one that is chosen')
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'DiagnosticChanged' }, {
    group = vim.api.nvim_create_augroup('frank_info_' .. buffer, { clear = true }),
    buffer = buffer,
    callback = function()
      if vim.api.nvim_get_current_buf() == buffer then
        show_info(buffer)
      end
    end,
  })
  command('FrankClear', function()
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  end, 'Remove the shown results')
  if not vim.lsp.enable and vim.g.frank_enable ~= false then
    start_old(buffer)
  end
end

M.options = function()
  return options
end
M.namespace = namespace

return M
