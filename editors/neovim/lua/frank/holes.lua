-- Holes: from one to the next, the list of all, and terms that fill one. `server` of each function is how
-- `frank/init.lua` speaks with the server of a buffer: `ask`, `encoding`, `go_to`.

local M = {}

-- A hole as it is written.
local HOLE = "^_[%w_'\128-\255]*$"

local function warn(text)
  vim.notify('frank: ' .. text, vim.log.levels.WARN)
end

-- Calls `done` with the answer; where that is `null`, says that there is nothing.
local function ask(server, buffer, method, params, nothing, done)
  server.ask(buffer, method, params, function(answer)
    if type(answer) ~= 'table' or vim.tbl_isempty(answer) then
      warn(nothing)
    else
      done(answer)
    end
  end)
end

local function shown(hole)
  local ty = type(hole.type) == 'string' and hole.type or 'any type'
  return string.format('%s : %s, in %s', hole.name, ty, hole.inside)
end

--- Goes to the hole behind the cursor, or before it; from a file without holes to the next that has some.
function M.beside(server, forwards)
  local buffer = vim.api.nvim_get_current_buf()
  local encoding = server.encoding(buffer)
  local params = vim.lsp.util.make_position_params(0, encoding)
  params.forwards = forwards
  ask(server, buffer, 'frank/nextHole', params, 'there are no holes', function(hole)
    server.go_to(hole, encoding)
    vim.api.nvim_echo({ { shown(hole) } }, false, {})
  end)
end

--- Puts all holes of the workspace into the quickfix list.
function M.list(server)
  local buffer = vim.api.nvim_get_current_buf()
  local encoding = server.encoding(buffer)
  ask(server, buffer, 'frank/holes', vim.empty_dict(), 'there are no holes', function(holes)
    local items = vim.tbl_map(function(hole)
      local item = vim.lsp.util.locations_to_items({ hole }, encoding)[1]
      item.text = shown(hole)
      return item
    end, holes)
    vim.fn.setqflist({}, ' ', { title = 'Holes', items = items })
    vim.cmd('botright copen')
  end)
end

-- Writes a term in the place of a hole.
local function write(buffer, range, term, encoding)
  local row = range.start.line
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ''
  local function byte(character)
    if encoding == 'utf-8' then
      return character
    end
    local fine, found = pcall(vim.str_byteindex, line, character, encoding == 'utf-16')
    return fine and found or #line
  end
  -- Somebody may have written there in the meantime.
  if not line:sub(byte(range.start.character) + 1, byte(range['end'].character)):match(HOLE) then
    warn('the hole is gone')
    return
  end
  vim.lsp.util.apply_text_edits({ { range = range, newText = term } }, buffer, encoding)
end

local function described(term)
  local notes = { [true] = '    the examples hold', [false] = '    an example fails' }
  return term.text .. (notes[term.examplesHold] or '')
end

--- Lists terms for the hole at the cursor, or at a place, and writes the one that is chosen.
function M.fill(server, place)
  local buffer = place and vim.uri_to_bufnr(place.textDocument.uri) or vim.api.nvim_get_current_buf()
  local encoding = server.encoding(buffer)
  local params = place or vim.lsp.util.make_position_params(0, encoding)
  ask(server, buffer, 'frank/fill', params, 'there is no hole at the cursor', function(found)
    if #found.terms == 0 then
      warn('no term was found: ' .. found.note)
      return
    end
    local choice = { prompt = found.note .. ':', kind = 'frank', format_item = described }
    vim.ui.select(found.terms, choice, function(chosen)
      if chosen then
        write(buffer, found.range, chosen.text, encoding)
      end
    end)
  end)
end

return M
