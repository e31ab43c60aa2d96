// Colours for Frank, and the names of files above the blocks that are files. mdbook's highlighter knows
// no such language and has left these blocks plain.
(() => {
  for (const block of document.querySelectorAll('code[class*="file="]')) {
    const name = block.className.match(/file=([^ ,]+)/)[1];
    const label = document.createElement('div');
    label.className = 'file-name';
    label.textContent = name;
    block.parentElement.before(label);
  }
  if (typeof hljs === 'undefined') return;
  const keyword = 'data interface include let in';
  const type = 'String Int Char Float';
  const name = /[A-Za-z_][A-Za-z0-9_']*/;
  hljs.registerLanguage('frank', () => ({
    keywords: { keyword, type },
    lexemes: name,
    contains: [
      { className: 'comment', begin: /\{--/, end: /--\}/, contains: ['self'] },
      { className: 'comment', begin: /--/, end: /$/ },
      { className: 'string', begin: /"/, end: /"/, illegal: /\n/, contains: [{ begin: /\\./ }] },
      { className: 'string', begin: /'(?:\\[^']+|[^'\\])'/ },
      // The name of a signature or a clause, in the first column.
      { className: 'title', begin: /^[A-Za-z_][A-Za-z0-9_']*(?=\s*:|!?\s[^:\n]*=|!\s*=)/m },
      { className: 'number', begin: /\b(?:0x[0-9a-fA-F]+|0o[0-7]+|\d+(?:\.\d+)?(?:e-?\d+)?)/ },
      { className: 'type', begin: /\b[A-Z][A-Za-z0-9_']*/ },
      { className: 'keyword', begin: /->|::|[<>]=|[!=]=|[=|:;!]/ },
      // A name such as x' must not begin a character.
      { begin: name, keywords: { keyword, type }, lexemes: name },
    ],
  }));
  const highlight = hljs.highlightElement || hljs.highlightBlock;
  for (const block of document.querySelectorAll('code[class*="language-frank"]')) {
    block.textContent = block.textContent;
    block.className = 'language-frank';
    delete block.dataset.highlighted;
    highlight.call(hljs, block);
  }
})();
