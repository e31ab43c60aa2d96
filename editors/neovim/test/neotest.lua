-- Drives the adapter for neotest as neotest does, with the real program:
-- nvim --headless -u NONE -i NONE -n -l FILE FRANK
-- neotest itself is not needed: of it there is the part of its tree that adapters see.
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
vim.opt.runtimepath:prepend(vim.fs.dirname(here))

local program = assert(arg[1], 'the program frank is wanted')
require('frank').setup({ cmd = { vim.fs.abspath and vim.fs.abspath(program) or program, 'lsp' } })

local Tree = {}
Tree.__index = Tree
function Tree.from_list(list, key)
  local node = setmetatable({ own = list[1], below = {}, key = key }, Tree)
  assert(key(node.own), 'a position has a key')
  for index = 2, #list do
    table.insert(node.below, Tree.from_list(list[index], key))
  end
  return node
end
function Tree:data()
  return self.own
end
function Tree:children()
  return self.below
end
function Tree:iter()
  local all = { self.own }
  for _, child in ipairs(self.below) do
    for _, position in child:iter() do
      table.insert(all, position)
    end
  end
  return ipairs(all)
end
package.preload['neotest.types'] = function()
  return { Tree = Tree }
end

local adapter = require('neotest-frank')
local failed = 0
local function check(what, right, found)
  io.stdout:write(right and 'ok    ' or 'FAIL  ', what, right and '' or ': ' .. vim.inspect(found), '\n')
  failed = failed + (right and 0 or 1)
end

local folder = vim.fn.resolve(vim.fn.tempname())
vim.fn.mkdir(folder .. '/sub', 'p')
vim.fn.writefile({}, folder .. '/frank.toml')
vim.fn.writefile({ 'quiet : {Int}', 'quiet! =', '  -- > quiet!', '  1' }, folder .. '/quiet.fk')
local file = folder .. '/sub/examples.fk'
vim.fn.writefile({
  '-- Twice a number.',
  '-- > twice 2',
  '-- = 4',
  '-- > twice',
  '--     3',
  '-- = 7',
  'twice : Int -> Int',
  'twice n = n + n',
  '{-- A block:',
  '-- > one!',
  'text',
  '--}',
  'one : {Int}',
  'one! =',
  '  -- > not this',
  '  1',
  '',
  '-- > twice 2',
  '',
  '-- > twyce 2',
  '-- for all n : Int, m : Int.',
  '--     twice (n + m) == 2 * n + 2 * m',
  '-- for all n : Int. twice n < 1000',
  '-- for all of them, but two: no law',
}, file)

check('the root', adapter.root(folder .. '/sub') == folder, adapter.root(folder .. '/sub'))
check('folders', adapter.filter_dir('src') and not adapter.filter_dir('.git'))
check('a file with examples', adapter.is_test_file(file))
check('a file without', not adapter.is_test_file(folder .. '/quiet.fk'))
check('another file', not adapter.is_test_file(folder .. '/frank.toml'))

local tree = adapter.discover_positions(file)
local seen = {}
for _, position in tree:iter() do
  table.insert(seen, string.format('%s %s %d-%d', position.type, position.name, position.range[1], position.range[3]))
end
local wanted = {
  'file examples.fk 0-24',
  'test twice 2 1-2',
  'test twice 3 3-5',
  'test one! 9-9',
  'test twice 2 #2 17-17',
  'test twyce 2 19-19',
  'test for all n : Int, m : Int. twice (n + m) == 2 * n + 2 * m 20-21',
  'test for all n : Int. twice n < 1000 22-22',
}
check('the positions', vim.deep_equal(seen, wanted), seen)
check('no file, no tree', adapter.discover_positions(folder .. '/none.fk') == nil)

-- In a terminal of its own, as neotest's usual strategy does it.
local function run(node)
  local spec = adapter.build_spec({ tree = node, strategy = 'integrated' })
  local written = {}
  local job = vim.fn.jobstart(spec.command, {
    cwd = spec.cwd,
    env = spec.env,
    pty = true,
    on_stdout = function(_, data)
      table.insert(written, table.concat(data, '\n'))
    end,
  })
  check('it starts', job > 0, spec)
  local code = vim.fn.jobwait({ job }, 20000)[1]
  local output = vim.fn.tempname()
  local handle = assert(io.open(output, 'wb'))
  handle:write(table.concat(written))
  handle:close()
  return adapter.results(spec, { code = code, output = output }, node)
end

local results = run(tree)
local function result(name)
  return results[file .. '::' .. name] or {}
end
check('right', result('twice 2').status == 'passed', results)
check('without a value', result('twice 2 #2').status == 'passed', results)
local wrong = result('twice 3')
check('wrong', wrong.status == 'failed', results)
check('the difference', (wrong.short or ''):find('should be 7', 1, true) and wrong.short:find('but is    6', 1, true), wrong)
check('where', wrong.errors and wrong.errors[1].line == 3, wrong)
local broken = result('twyce 2')
check('no program', broken.status == 'failed' and broken.short:find('FK0101', 1, true), broken)
check('a law that holds', result('for all n : Int, m : Int. twice (n + m) == 2 * n + 2 * m').status == 'passed', results)
local false_law = result('for all n : Int. twice n < 1000')
check('one that does not', false_law.status == 'failed' and false_law.short:find('is false for n = 500', 1, true), false_law)
check('no more than that', vim.tbl_count(results) == 7, results)

-- One of them, and the folder.
local one = run(tree:children()[1])
check('one example', vim.tbl_count(one) == 1 and one[file .. '::twice 2'].status == 'passed', one)
local below = vim.tbl_map(function(node)
  return { node:data() }
end, tree:children())
local positions = { { type = 'dir', path = folder, name = 'folder', id = folder }, { tree:data(), unpack(below) } }
local whole = run(Tree.from_list(positions, function(position)
  return position.id
end))
check('a folder', vim.deep_equal(whole, results), whole)

-- What cannot run says why.
require('frank').setup({ cmd = { program .. '-that-is-not-there' } })
local spec = adapter.build_spec({ tree = tree })
local output = vim.fn.tempname()
vim.fn.writefile({ 'no such program' }, output)
local none = adapter.results(spec, { code = 127, output = output }, tree)
check('nothing ran', none[file .. '::twice 2'].status == 'failed' and none[file .. '::twice 2'].short == 'no such program', none)

os.exit(failed == 0)
