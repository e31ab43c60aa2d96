-- An entry of the table of parsers of nvim-treesitter (branch `main`).
return {
  frank = {
    install_info = {
      url = 'https://github.com/frank-tools/frank',
      revision = 'v@VERSION@',
      location = 'syntax',
    },
    maintainers = { '@frank-tools' },
    tier = 2,
  },
}
