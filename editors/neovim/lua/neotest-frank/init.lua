-- The adapter for neotest: examples and laws in comments are tests, and `frank test` runs them.
--
-- neotest calls these functions where Neovim's own functions are not allowed, so nothing here but Lua
-- and libuv reads files.

local uv = vim.uv or vim.loop

local M = { name = 'neotest-frank' }

-- Folders that hold no programs of the user's own.
local LEFT_OUT = { node_modules = true, target = true }

local function read(path)
  local file = io.open(path, 'rb')
  if not file then
    return nil
  end
  local text = file:read('*a')
  file:close()
  return text and (text:gsub('\r\n?', '\n'))
end

local function parent(path)
  local found = path:match('^(.*)[/\\][^/\\]+[/\\]*$')
  return found ~= path and found or nil
end

-- How deep block comments are nested at the end of a line.
local function depth_after(line, depth)
  local at = 1
  while true do
    local open, close = line:find('{--', at, true), line:find('--}', at, true)
    local comment = depth == 0 and line:find('--', at, true)
    if comment and (not open or comment < open) then
      return depth
    elseif open and (not close or open < close) then
      depth, at = depth + 1, open + 3
    elseif close and depth > 0 then
      depth, at = depth - 1, close + 3
    else
      return depth
    end
  end
end

-- Whether a line begins a law: `for all`, one name or several, and a colon.
local function begins_law(line)
  local names = line:match('^for all ([^:]*):')
  if not names or not names:match("^%s*[%a_][%w_']*[%w_',%s]*$") then
    return false
  end
  local _, commas = names:gsub(',', '')
  local _, words = names:gsub('[^%s,]+', '')
  return commas == 0 or commas + 1 == words
end

-- The examples and laws in a text, in its order: `term`, `name`, and the lines `first` to `last`, from 0. They
-- stand in comments above items and at the end, as `frank test` reads them.
local function examples(text)
  local found, pending = {}, {}
  local open, column
  local depth, row = 0, -1
  local function close()
    if open then
      table.insert(pending, open)
      open = nil
    end
  end
  for line in (text .. '\n'):gmatch('([^\n]*)\n') do
    row = row + 1
    local said = line:match('^%s*%-%-(.*)$')
    if said then
      local blanks, rest = said:match('^(%s*)(.-)%s*$')
      local indent = math.max(#blanks, 1)
      if open and indent > open.indent and rest ~= '' then
        open.last = row
        if not open.valued then
          open.name = open.name .. ' ' .. rest
        end
      elseif open and not open.law and not open.valued and rest:sub(1, 1) == '=' then
        open.valued, open.last = true, row
      else
        close()
        if rest:sub(1, 1) == '>' then
          open = { name = vim.trim(rest:sub(2)), indent = indent, first = row, last = row }
        elseif begins_law(rest) then
          open = { name = rest, indent = indent, first = row, last = row, law = true }
        end
      end
    else
      close()
      if depth == 0 and line:find('%S') and not line:find('^%s*{%-%-') then
        local here = #line:match('^%s*')
        column = column or here
        -- Comments inside of an item say nothing about it.
        if here <= column then
          vim.list_extend(found, pending)
        end
        pending = {}
      end
    end
    if not said or depth > 0 then
      depth = depth_after(line, depth)
    end
  end
  close()
  return vim.list_extend(found, pending)
end

--- The folder with `frank.toml`, else with `.git`, around a folder.
function M.root(dir)
  for _, marker in ipairs({ 'frank.toml', '.git' }) do
    local folder = dir
    while folder and folder ~= '' do
      if uv.fs_stat(folder .. '/' .. marker) then
        return folder
      end
      folder = parent(folder)
    end
  end
end

--- Whether programs are looked for in a folder.
function M.filter_dir(name)
  return not LEFT_OUT[name] and name:sub(1, 1) ~= '.'
end

--- Whether a file has examples or laws.
function M.is_test_file(path)
  if not path:match('%.fk$') then
    return false
  end
  local text = read(path)
  return text ~= nil and #examples(text) > 0
end

--- The examples and laws of a file as neotest's tree, or nil if the file cannot be read.
function M.discover_positions(path)
  local text = read(path)
  if not text then
    return nil
  end
  local lines = vim.split(text, '\n', { plain = true })
  local list = {
    {
      type = 'file',
      path = path,
      name = path:match('[^/\\]+$'),
      range = { 0, 0, #lines - 1, #lines[#lines] },
      id = path,
    },
  }
  local times = {}
  for _, example in ipairs(examples(text)) do
    times[example.name] = (times[example.name] or 0) + 1
    -- The same term may be an example twice.
    local again = times[example.name] > 1 and ' #' .. times[example.name] or ''
    table.insert(list, {
      {
        type = 'test',
        path = path,
        name = example.name .. again,
        range = { example.first, 0, example.last, #lines[example.last + 1] },
        id = path .. '::' .. example.name .. again,
      },
    })
  end
  return require('neotest.types').Tree.from_list(list, function(position)
    return position.id
  end)
end

--- How the examples of a folder or a file are run. That of one example runs those beside it, too.
function M.build_spec(args)
  local position = args.tree:data()
  local dir = position.type == 'dir' and position.path or parent(position.path)
  local command = { require('frank').options().cmd[1], 'test', '--color', 'never' }
  vim.list_extend(command, args.extra_args or {})
  table.insert(command, position.path)
  local cwd = M.root(dir) or dir
  return { command = command, cwd = cwd, context = { cwd = cwd } }
end

-- What a terminal shows of what was written to it, line by line.
local function shown(output)
  local lines = {}
  for line in ((output or '') .. '\n'):gmatch('([^\n]*)\n') do
    line = line:gsub('\27%[[%d;?]*%a', ''):gsub('\r+$', '')
    table.insert(lines, line:match('[^\r]*$'))
  end
  return lines
end

--- What came of each example of a tree.
function M.results(spec, result, tree)
  local lines = shown(read(result.output))
  local starts, ended = {}, false
  for _, position in tree:iter() do
    if position.type == 'test' then
      starts[position.path .. ':' .. position.range[1] + 1] = position.id
    elseif position.type == 'file' then
      starts[position.path] = position.id
    end
  end
  local failed, current = {}, nil
  for _, line in ipairs(lines) do
    local file, row = line:match('^(.-):(%d+):%d+: ')
    if file and not file:match('^[/\\]') and not file:match('^%a:[/\\]') then
      file = spec.context.cwd .. '/' .. file
    end
    -- What belongs to no example, such as a stray value, belongs to the file.
    local id = file and (starts[file .. ':' .. row] or starts[file])
    if line:match('^%d+ %l[%l%d ]* in %d+ files?: ') then
      current, ended = nil, true
    elseif id then
      current = { message = {}, line = tonumber(row) - 1 }
      failed[id] = failed[id] or {}
      table.insert(failed[id], current)
    elseif current then
      table.insert(current.message, line)
    end
  end
  local results = {}
  for _, position in tree:iter() do
    local errors = failed[position.id]
    if errors then
      for _, one in ipairs(errors) do
        one.message = vim.trim(table.concat(one.message, '\n'))
      end
      results[position.id] = { status = 'failed', short = errors[1].message, errors = errors }
    elseif position.type == 'test' then
      -- Without the last line nobody knows which of them ran.
      local why = vim.trim(table.concat(lines, '\n'))
      results[position.id] = ended and { status = 'passed' }
        or { status = 'failed', short = why, errors = { { message = why } } }
    end
  end
  return results
end

return M
