-- A run state by state, in a split: the term, its focus, and what is frozen on the way to a handler.

local M = {}

local namespace = vim.api.nvim_create_namespace('frank.steps')
-- The run that is shown, the number of its state, and the split.
local shown = { index = 1 }

-- The row and the column, in bytes, of a character in a text, all from 0.
local function position(text, character)
  local before = text:sub(1, vim.fn.byteidxcomp(text, character))
  local _, rows = before:gsub('\n', '')
  return rows, #before:match('[^\n]*$')
end

local function mark(buffer, text, range, group, first, priority)
  local row, column = position(text, range[1])
  local end_row, end_column = position(text, range[2])
  vim.api.nvim_buf_set_extmark(buffer, namespace, row + first, column, {
    end_row = end_row + first,
    end_col = end_column,
    hl_group = group,
    priority = priority,
  })
end

-- Lights the focus in the windows that show its file.
local function light(state)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if buffer ~= shown.buffer then
      vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
    end
  end
  local source = state.place and shown.run.sources[state.place[1] + 1]
  local buffer = source and source.uri and vim.fn.bufnr(vim.uri_to_fname(source.uri)) or -1
  -- A text that was changed meanwhile has other places.
  if buffer == -1 or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  if vim.trim(text) ~= vim.trim(source.text) then
    return
  end
  mark(buffer, source.text, { state.place[2], state.place[3] }, 'IncSearch', 0, 300)
  local row = position(source.text, state.place[2])
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    pcall(vim.api.nvim_win_set_cursor, window, { row + 1, 0 })
  end
end

local function show(index)
  local run = shown.run
  shown.index = math.max(1, math.min(#run.states, index))
  local state = run.states[shown.index]
  local last = run.from + #run.states - 1
  local title = string.format('%d of %d%s  %s', run.from + shown.index - 1, last, run.cut and ', and more' or '', state.rule)
  local lines = { title, '' }
  vim.list_extend(lines, vim.split(state.term, '\n'))
  if shown.index == #run.states and run.failure then
    vim.list_extend(lines, { '', run.failure })
  end
  local printed
  for number = 1, shown.index do
    printed = run.states[number].printed or printed
  end
  if printed then
    vim.list_extend(lines, { '', 'printed:' })
    vim.list_extend(lines, vim.split(printed, '\n'))
  end
  vim.bo[shown.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(shown.buffer, 0, -1, false, lines)
  vim.bo[shown.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(shown.buffer, namespace, 0, -1)
  for _, range in ipairs(state.frozen) do
    mark(shown.buffer, state.term, range, 'Visual', 2, 100)
  end
  mark(shown.buffer, state.term, state.focus, 'Underlined', 2, 200)
  light(state)
end

-- The next state in which a command has just set out.
local function next_command()
  for index = shown.index + 1, #shown.run.states do
    local state = shown.run.states[index]
    for _, range in ipairs(state.frozen) do
      if vim.deep_equal(range, state.focus) then
        return index
      end
    end
  end
  return #shown.run.states
end

local function open()
  vim.cmd('rightbelow vnew')
  shown.buffer = vim.api.nvim_get_current_buf()
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile, vim.bo.buflisted = 'nofile', 'wipe', false, false
  vim.wo.wrap, vim.wo.number, vim.wo.relativenumber = false, false, false
  vim.api.nvim_buf_set_name(shown.buffer, 'frank://steps')
  local function key(keys, about, run)
    for _, one in ipairs(keys) do
      vim.keymap.set('n', one, run, { buffer = shown.buffer, nowait = true, desc = about })
    end
  end
  key({ 'l', '<Right>', '<Space>' }, 'the next state', function() show(shown.index + vim.v.count1) end)
  key({ 'h', '<Left>', '<BS>' }, 'the state before', function() show(shown.index - vim.v.count1) end)
  key({ 'c' }, 'the next command', function() show(next_command()) end)
  key({ '0', '<Home>' }, 'the first state', function() show(1) end)
  key({ '$', '<End>' }, 'the last state', function() show(#shown.run.states) end)
  key({ 'q' }, 'close', function() vim.cmd.close() end)
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = shown.buffer,
    callback = function()
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
      end
    end,
  })
end

--- Shows a run of the server's answer to `frank/step`.
function M.show(run)
  shown.run = run
  if not shown.buffer or vim.fn.bufwinid(shown.buffer) == -1 then
    open()
  end
  show(1)
end

return M
