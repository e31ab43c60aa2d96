// The checker of the playground. It starts before the editor is there: each takes its time, and neither needs the other.

import { Connection, ServerFiles } from './connection';
import { shownIn } from './settings';
import { recall } from './store';

export const startsDark = (recall('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

globalThis.frankBegun ??= {};
export const server = new ServerFiles(new URL('.', import.meta.url), undefined, globalThis.frankBegun);

export const connection = new Connection(server, shownIn(startsDark));
