// Buttons that make the programs of a page run, colours for Frank, and the names of files above the blocks that are files.
// mdbook's highlighter knows no such language and has left these blocks plain.
(() => {
  // `docs/build` says so on pages whose programs can be run here; a page without a web server cannot load anything.
  const living = document.querySelector('meta[name="frank-programs"]');
  if (living !== null && location.protocol !== 'file:') {
    const own = [...document.querySelectorAll('code.language-frank')];
    const isPiece = (code) => code.classList.contains('fragment') || code.classList.contains('examples');
    own.filter((code) => !isPiece(code)).forEach(addTools);
  }

  /** Adds the buttons of a program. Until one of them is pressed nothing is loaded. */
  function addTools(code, index) {
    const pre = code.parentElement;
    const name = code.className.match(/file=([^ ,]+)/)?.[1] ?? `program ${index + 1} of this page`;
    const tools = document.createElement('div');
    tools.className = 'frank-tools';
    tools.setAttribute('role', 'group');
    tools.setAttribute('aria-label', `What to do with ${name}`);
    const block = { pre, tools, index, name, programs: new URL(living.content, document.baseURI).href };
    const deeds = [['run', '▶', 'Run'], ['edit', '✎', 'Edit'], ['playground', '↗', 'Open in the playground']];
    for (const [deed, sign, word] of deeds) {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.deed = deed;
      const picture = document.createElement('span');
      picture.setAttribute('aria-hidden', 'true');
      picture.textContent = sign;
      button.append(picture, ` ${word}`);
      button.setAttribute('aria-label', `${word} ${name}`);
      // Who clicks twice means it once: the second click would stop the run, or close the editor.
      button.addEventListener('click', (event) => {
        if (event.detail < 2) act(block, deed);
      });
      tools.append(button);
    }
    pre.after(tools);
  }

  async function act(block, deed) {
    block.tools.querySelector('.frank-trouble')?.remove();
    try {
      const book = await import(new URL(`${path_to_root}playground/book.js`, document.baseURI));
      await book.act(block, deed);
    } catch (error) {
      const trouble = document.createElement('span');
      trouble.className = 'frank-trouble';
      trouble.setAttribute('role', 'alert');
      trouble.textContent = error.message;
      block.tools.append(trouble);
    }
  }

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
