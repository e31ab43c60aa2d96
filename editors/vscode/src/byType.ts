// Search by type: a list that follows what is typed. What fits, and how well, the server says.

import * as vscode from 'vscode';

interface Position {
  line: number;
  character: number;
}

/** Something that has the type, as `frank/findByType` lists it. */
interface Found {
  name: string;
  type: string;
  text: string;
  location: { uri: string; range: { start: Position; end: Position } };
}

/** The server's answer. */
export interface ByType {
  found: Found[];
  nearest: Found | null;
  notes: { message: string; help: string[] }[];
  mistakes: { message: string; help: string[] }[];
}

interface Item extends vscode.QuickPickItem {
  found?: Found;
}

/** So long no key has to be pressed until the server is asked, in milliseconds. */
const PAUSE = 150;

/** Asks for a type, and shows what has it while it is typed; opens what is chosen. */
export function findByType(ask: (type: string, document: vscode.Uri | undefined) => Promise<ByType | undefined>): void {
  const editor = vscode.window.activeTextEditor;
  const document = editor?.document.languageId === 'frank' ? editor.document.uri : undefined;
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = 'Find by Type';
  pick.placeholder = 'List X -> Int, or <Abort> X -> …, or [Console]Unit';
  // The best ones come first, as the server has them.
  Object.assign(pick, { sortByLabel: false });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  const search = async (type: string): Promise<void> => {
    const mine = ++latest;
    pick.busy = true;
    const answer = type.trim() === '' ? undefined : await ask(type, document);
    // An older answer is not shown.
    if (mine === latest) {
      pick.busy = false;
      pick.items = answer === undefined ? [] : items(answer);
    }
  };
  pick.onDidChangeValue((type) => {
    clearTimeout(timer);
    timer = setTimeout(() => { void search(type); }, PAUSE);
  });
  pick.onDidAccept(() => {
    const found = pick.selectedItems[0]?.found;
    if (found !== undefined) {
      pick.hide();
      void open(found);
    }
  });
  pick.onDidHide(() => {
    clearTimeout(timer);
    latest++;
    pick.dispose();
  });
  pick.show();
}

/** What is listed for an answer, whatever letters of the type it has. */
function items(answer: ByType): Item[] {
  const item = (found: Found): Item => ({
    label: `${found.name} : ${found.type}`,
    detail: found.text,
    alwaysShow: true,
    found,
  });
  const said = (message: string, help: string[]): Item => ({ label: message, detail: help.join('; '), alwaysShow: true });
  const mistakes = answer.mistakes.map(({ message, help }) => said(message, help));
  const notes = answer.notes.map(({ message, help }) => said(message, help));
  const found = answer.found.map(item);
  if (mistakes.length + found.length > 0) {
    return [...mistakes, ...found, ...notes];
  }
  const nearest = answer.nearest === null ? [] : [item(answer.nearest)];
  return [said('Nothing has this type, or one that says the same', nearest.length > 0 ? ['the nearest is'] : []), ...nearest, ...notes];
}

async function open({ location }: Found): Promise<void> {
  const { start, end } = location.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(location.uri), { selection });
}
