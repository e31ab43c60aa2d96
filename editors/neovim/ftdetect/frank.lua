vim.filetype.add({ extension = { fk = 'frank' } })
