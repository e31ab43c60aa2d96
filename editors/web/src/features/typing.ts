// What is typed over a selection. Browsers keep the looks of what was selected in a `style` attribute, which the page's
// policy forbids: nothing comes of that but a message in the console, which this spares everybody.

import { EditorView } from '@codemirror/view';

export const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing, cancelable } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== 'insertText' || data === null || isComposing || !cancelable || empty) {
      return false;
    }
    const insert = (): ReturnType<typeof view.state.update> =>
      view.state.update({ ...view.state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handler) => handler(view, from, to, data, insert))) {
      view.dispatch(insert());
    }
    event.preventDefault();
    return true;
  },
});
