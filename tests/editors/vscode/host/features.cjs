const { ask, assert, at, command, equal, errors, findings, folder, open, replace, runAll, servers, until, uri, vscode } = require('./harness.cjs');
const { execFileSync } = require('node:child_process');
const path = require('node:path');

const setting = (name, value) =>
  vscode.workspace.getConfiguration('frank').update(name, value, vscode.ConfigurationTarget.Workspace);
const program = () => vscode.workspace.getConfiguration('frank').get('server.path');
const words = (contents) => contents.map((one) => (typeof one === 'string' ? one : one.value)).join('\n');

/** The paper's nested derivative: one finding, at `x`, whose fix mends it. */
async function mends(name, x, call, mended) {
  const document = await open(name);
  const [finding] = await until('an error', () => errors(document.uri).length > 0 && errors(document.uri));
  equal(errors(document.uri).length, 1);
  const place = at(document, x);
  equal(finding.range, new vscode.Range(place, place.translate(0, 1)));
  equal(finding.code.value ?? finding.code, 'FK0202');
  assert(finding.relatedInformation.length > 0, 'no related places');
  const actions = await ask('CodeActionProvider', document.uri, finding.range, vscode.CodeActionKind.QuickFix.value);
  const fix = actions.find(({ title }) => title.includes(mended));
  assert(fix !== undefined, actions.map(({ title }) => title));
  await vscode.workspace.applyEdit(fix.edit);
  await until('the error to go', () => errors(document.uri).length === 0);
  assert(document.getText().includes(call), document.getText());
  await document.save();
}

async function tests() {
  const state = await open('state.fk');
  await until('the server', () => servers().length === 1);
  const extension = vscode.extensions.getExtension('frank-tools.frank');
  return {
    'the extension is active and has its commands': async () => {
      assert(extension.isActive, 'not active');
      const commands = await vscode.commands.getCommands(true);
      for (const { command } of extension.packageJSON.contributes.commands) {
        assert(commands.includes(command), command);
      }
    },

    'every setting is described': () => {
      const settings = extension.packageJSON.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
      assert(settings.length > 10, 'few settings');
      for (const [name, { description, markdownDescription }] of settings) {
        assert((description ?? markdownDescription ?? '').length > 20, name);
      }
    },

    'the missing lift': () => mends('missing-lift.fk', '{y -> p ¦x y}', 'p (lift x) y', 'lift x'),
    'the missing lift, all operators renamed': () =>
      mends('renamed.fk', '{y -> r_p ¦x y}', 'r_p (r_lift x) y', 'r_lift x'),

    'safe fixes are applied on saving': async () => {
      const document = await open('missing-lift.fk');
      const editor = vscode.workspace.getConfiguration('editor', { languageId: 'frank', uri: document.uri });
      const set = (value) => editor.update('codeActionsOnSave', value, vscode.ConfigurationTarget.Workspace, true);
      const actions = () => ask('CodeActionProvider', document.uri, new vscode.Range(0, 0, document.lineCount, 0), 'source.fixAll');
      await set({ 'source.fixAll': 'explicit' });
      await until('the setting', () => vscode.workspace.getConfiguration('editor', { languageId: 'frank', uri: document.uri })
        .get('codeActionsOnSave')['source.fixAll'] === 'explicit');
      await replace(document, 'p (lift x) y', 'p x y');
      await until('the error', () => errors(document.uri).length === 1);
      await until('the editor', () => vscode.window.activeTextEditor?.document === document);
      await until('the action', async () => (await actions()).map(({ title }) => title).join() === 'Apply all safe fixes');
      // VS Code leaves a save out while another one is under way, and then a person saves again.
      await until('the fix', async () => {
        await command('workbench.action.files.save');
        return document.getText().includes('p (lift x) y');
      });
      await until('it is saved', () => !document.isDirty);
      assert(!document.isDirty, 'not saved');
      await set(undefined);
      await until('no error', () => errors(document.uri).length === 0);
    },

    'hover shows type, ability and comment': async () => {
      const [hover] = await ask('HoverProvider', state.uri, at(state, 'n = tick! in ¦tick!'));
      const text = words(hover.contents);
      assert(text.includes('tick : [State Int]Int') && text.includes('Counts up.'), text);
    },

    'hover at a command shows who handles it': async () => {
      const [hover] = await ask('HoverProvider', state.uri, at(state, 'let n = ¦get! in put'));
      assert(words(hover.contents).includes('State'), words(hover.contents));
    },

    'completion knows the scope': async () => {
      const list = await ask('CompletionItemProvider', state.uri, at(state, 'in ti¦ck!'));
      const labels = list.items.map(({ label }) => label.label ?? label);
      assert(labels.includes('tick'), labels);
      const item = list.items.find(({ label }) => (label.label ?? label) === 'tick');
      assert(JSON.stringify(item).includes('State Int'), item);
    },

    'signature help shows the port': async () => {
      const help = await ask('SignatureHelpProvider', state.uri, at(state, 'state 1 (¦count!)'));
      assert(help?.signatures[0].label.includes('<State S>'), help);
    },

    'outline': async () => {
      const symbols = await ask('DocumentSymbolProvider', state.uri);
      equal(symbols.map(({ name }) => name), ['State', 'state', 'tick', 'count', 'main']);
      equal(symbols[0].children.map(({ name }) => name), ['get', 'put']);
    },

    'implementation of a command is where it is handled': async () => {
      const places = await ask('ImplementationProvider', state.uri, at(state, 'let n = ¦get! in put'));
      equal(places.map((one) => (one.range ?? one.targetRange).start.line), [at(state, 'state s <¦get').line]);
    },

    'definition, declaration and type definition': async () => {
      const tick = at(state, 'in ¦tick!');
      const line = async (kind, place) => (await ask(kind, state.uri, place)).map((one) => (one.range ?? one.targetRange).start.line);
      assert((await line('DefinitionProvider', tick)).includes(at(state, 'tick! =').line), 'definition');
      equal(await line('DeclarationProvider', tick), [at(state, 'tick :').line]);
    },

    'definition in the library opens read-only': async () => {
      const document = await open('missing-lift.fk');
      const [place] = await ask('DefinitionProvider', document.uri, at(document, '= ¦evaluate'));
      const library = await vscode.workspace.openTextDocument(place.uri ?? place.targetUri);
      assert(library.getText().includes('evaluate : <Smooth Int> X -> X'), 'not the library');
      assert(errors(library.uri).length === 0, errors(library.uri));
    },

    'references and highlights': async () => {
      const references = await ask('ReferenceProvider', state.uri, at(state, 'in ¦tick!'));
      assert(references.length >= 4, references);
      assert(references.some(({ uri }) => uri.path.endsWith('other.fk')), references);
      assert((await ask('DocumentHighlights', state.uri, at(state, 'in ¦tick!'))).length >= 4, 'highlights');
    },

    'call hierarchy': async () => {
      const [item] = await command('vscode.prepareCallHierarchy', state.uri, at(state, 'in ¦tick!'));
      const calls = await command('vscode.provideIncomingCalls', item);
      assert(calls.some(({ from }) => from.name === 'count'), calls);
    },

    'rename goes over files': async () => {
      const edit = await ask('DocumentRenameProvider', state.uri, at(state, 'tick : [¦State').translate(0, -8), 'step');
      const files = edit.entries().map(([file]) => file.path.split('/').pop()).sort();
      equal(files, ['other.fk', 'state.fk']);
      assert(await vscode.workspace.applyEdit(edit), 'not applied');
      const other = await vscode.workspace.openTextDocument(uri('other.fk'));
      assert(other.getText().includes('step!') && !other.getText().includes('tick'), other.getText());
      await until('no errors', () => errors(state.uri).length + errors(other.uri).length === 0);
      const back = await ask('DocumentRenameProvider', state.uri, at(state, 'step¦ : [State'), 'tick');
      await vscode.workspace.applyEdit(back);
      assert(state.getText().includes('tick : [State Int]Int'), 'not back');
    },

    'rename of what is built in is refused, with the reason': async () => {
      let reason = '';
      try {
        await vscode.commands.executeCommand('vscode.prepareRename', state.uri, at(state, 'Coun¦sole').translate(0, 0));
      } catch (error) {
        reason = error.message;
      }
      assert(reason !== '', 'it is allowed');
    },

    'formatting is that of frank fmt': async () => {
      const document = await open('untidy.fk');
      const expected = execFileSync(program(), ['fmt', '-'], { input: document.getText(), encoding: 'utf8' });
      assert(expected !== document.getText(), 'it was tidy');
      const edits = await ask('FormatDocumentProvider', document.uri, { tabSize: 2, insertSpaces: true });
      const edit = new vscode.WorkspaceEdit();
      edit.set(document.uri, edits);
      await vscode.workspace.applyEdit(edit);
      equal(document.getText(), expected);
    },

    'tokens, folding, links, selections, symbols': async () => {
      const tokens = await command('vscode.provideDocumentSemanticTokens', state.uri);
      assert(tokens.data.length > 50, 'tokens');
      const long = await open('renamed.fk');
      assert((await ask('FoldingRangeProvider', long.uri)).length > 10, 'folding');
      const other = await open('other.fk');
      assert((await ask('LinkProvider', other.uri)).length === 1, 'links');
      const [range] = await ask('SelectionRangeProvider', state.uri, [at(state, 'in ¦tick!')]);
      assert(range.parent?.parent !== undefined, 'selection');
      const symbols = await ask('WorkspaceSymbolProvider', 'tck');
      assert(symbols.some(({ name }) => name === 'tick'), symbols);
    },

    'settings reach the server: severity': async () => {
      const document = await open('unused.fk');
      await until('a warning', () => findings(document.uri).length > 0);
      const { code } = findings(document.uri)[0];
      await setting('severity', { [code.value ?? code]: 'off' });
      await until('no warning', () => findings(document.uri).length === 0);
      await setting('severity', undefined);
      await until('the warning again', () => findings(document.uri).length > 0);
    },

    'settings reach the server: hints': async () => {
      const all = new vscode.Range(0, 0, state.lineCount, 0);
      const hints = async () => (await ask('InlayHintProvider', state.uri, all)).map(({ label }) => JSON.stringify(label)).join(' ');
      await setting('hints.types', true);
      await until('a type', async () => (await hints()).includes(': Int'));
      await setting('hints.types', 'off');
      await until('no type', async () => !(await hints()).includes(': Int'));
      await setting('hints.types', undefined);
    },

    'a new file without a name is checked': async () => {
      const document = await vscode.workspace.openTextDocument({ language: 'frank', content: 'main : {Int}\nmain! = "one"\n' });
      await vscode.window.showTextDocument(document);
      await until('an error', () => errors(document.uri).length === 1);
      await replace(document, '"one"', '1');
      await until('no error', () => errors(document.uri).length === 0);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    },

    'Enter goes on with a comment, and indents after an equals sign': async () => {
      const document = await vscode.workspace.openTextDocument({ language: 'frank', content: '' });
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('type', { text: '-- one\ntwo' });
      equal(document.getText(), '-- one\n-- two');
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      const other = await vscode.workspace.openTextDocument({ language: 'frank', content: '' });
      await vscode.window.showTextDocument(other);
      await vscode.commands.executeCommand('type', { text: 'main! =\n1' });
      equal(other.getText(), 'main! =\n  1');
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    },

    'a killed server comes back': async () => {
      const document = await open('state.fk');
      for (let times = 1; times <= 3; times += 1) {
        const [pid] = await until('a server', () => servers().length === 1 && servers());
        process.kill(pid, 'SIGKILL');
        await until('another server', () => servers().length === 1 && servers()[0] !== pid);
        await replace(document, 'n + 1', 'n + "1"');
        await until('an error', () => errors(document.uri).length === 1);
        await replace(document, 'n + "1"', 'n + 1');
        await until('no error', () => errors(document.uri).length === 0);
      }
    },

    'Restart Server gives another one': async () => {
      const [pid] = servers();
      await vscode.commands.executeCommand('frank.restartServer');
      await until('another server', () => servers().length === 1 && servers()[0] !== pid);
      const document = await open('unused.fk');
      await until('its findings', () => findings(document.uri).length > 0);
    },

    'files that are not open are checked, too': async () => {
      await until('the finding', () => errors(uri('wrong/broken.fk')).length === 1);
    },

    'the task checks, and shows no finding a second time': async () => {
      const tasks = await vscode.tasks.fetchTasks({ type: 'frank' });
      // Those of the folder, and of the file that is worked at.
      const file = 'unused.fk';
      equal(tasks.map(({ name }) => name).sort(), ['check', `check ${file}`, `run ${file}`, 'test', `test ${file}`]);
      equal(await exitCode(tasks.find(({ name }) => name === 'check')), 1);
      equal(vscode.languages.getDiagnostics(uri('wrong/broken.fk')).map(({ source }) => source), ['frank']);
    },

    'the problem matcher finds what a task says': async () => {
      // A folder that is not the server's.
      const outside = vscode.Uri.file(path.join(folder(), '../elsewhere/one.fk'));
      const definition = { type: 'frank', command: 'check', arguments: [outside.fsPath] };
      const execution = new vscode.ShellExecution(`"${program()}" check "${outside.fsPath}"`);
      equal(await exitCode(new vscode.Task(definition, vscode.TaskScope.Workspace, 'mine', 'mine', execution, '$frank')), 1);
      const [one, two] = await until('both findings', () => {
        const found = vscode.languages.getDiagnostics(outside);
        return found.length === 2 && found;
      });
      equal([one.source, one.code, one.severity, one.range.start], ['frank check', 'FK0405', 1, { line: 2, character: 5 }]);
      equal([two.source, two.code, two.severity, two.range.start], ['frank check', 'FK0201', 0, { line: 5, character: 8 }]);
      assert(two.message.startsWith('this has type `String`'), two.message);
    },
  };
}

/** Runs a task to its end. */
async function exitCode(task) {
  const ended = new Promise((resolve) => {
    const listener = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name === task.name) {
        listener.dispose();
        resolve(exitCode);
      }
    });
  });
  await vscode.tasks.executeTask(task);
  return ended;
}

exports.run = async () => runAll(await tests());
