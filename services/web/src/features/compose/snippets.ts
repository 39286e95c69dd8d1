import { createSnippet, deleteSnippet } from '@parley/client';

import { type Item, openMenu } from '../../base/dialogs/menu.tsx';
import { attempt } from '../../data/actions/verbs.ts';
import { peek } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { snippetText, toolText } from '../../strings/compose.ts';

const titleMax = 60;

/** Opens the menu of texts that the person uses again: they are put where the caret is, kept and deleted. */
export function openSnippets(button: HTMLElement, content: string, onInsert: (text: string) => void): void {
  const snippets = [...peek().snippets.values()].sort((a, b) => a.title.localeCompare(b.title));
  const title = (content.trim().split('\n', 1)[0] ?? '').slice(0, titleMax);
  const items: Item[] = [
    ...snippets.map((snippet) => ({ name: snippet.title, act: () => onInsert(snippet.content) })),
    ...(title === ''
      ? []
      : [
          {
            name: snippetText.save(title),
            act: () => attempt(createSnippet(connection(), title, content), snippetText.saved),
          },
        ]),
    ...snippets.map(({ id, title: name }) => ({
      name: snippetText.delete(name),
      act: () => attempt(deleteSnippet(connection(), id)),
    })),
  ];
  openMenu(toolText.snippets, button, items.length > 0 ? items : [{ name: snippetText.none, act: () => {} }]);
}
