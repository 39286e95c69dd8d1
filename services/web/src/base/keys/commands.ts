import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { type Command, type KeyEntry, keyTable } from './table.ts';

/** Handles a command. It returns false if it does not apply now: then the next handler is asked. */
export type Handler = (event: KeyboardEvent) => boolean | void;

const handlers = new Map<Command, Handler[]>();

/** Rises when commands come or go. */
const version = signal(0);

/** Returns whether some view handles a command now. */
export function isHandled(command: Command): boolean {
  return version.value >= 0 && (handlers.get(command)?.length ?? 0) > 0;
}

/** Registers a handler until the returned function is called. The latest one is asked first. */
function registerCommand(command: Command, handler: Handler): () => void {
  handlers.set(command, [handler, ...(handlers.get(command) ?? [])]);
  version.value += 1;
  return () => {
    handlers.set(
      command,
      (handlers.get(command) ?? []).filter((other) => other !== handler),
    );
    version.value += 1;
  };
}

/** Handles a command while the component is shown. */
export function useCommand(command: Command, handler: Handler): void {
  const latest = useRef(handler);
  latest.current = handler;
  // Before the next key is pressed: it is meant for what is shown.
  useLayoutEffect(() => registerCommand(command, (event) => latest.current(event)), [command]);
}

/** What a key does in a place comes before what it does anywhere. */
const commandsByKey = new Map<string, Command[]>();
for (const isAnywhere of [false, true]) {
  for (const [command, { keys, scope }] of Object.entries(keyTable) as [Command, KeyEntry][]) {
    if ((scope === 'anywhere') !== isAnywhere) continue;
    for (const key of keys) commandsByKey.set(key, [...(commandsByKey.get(key) ?? []), command]);
  }
}

/** Keys that also mean something where one writes. */
const whileWriting: ReadonlySet<string> = new Set([
  'Ctrl+k',
  'Ctrl+p',
  'Ctrl+Enter',
  'Ctrl+[',
  'Ctrl+.',
  'Alt+p',
  'Escape',
]);

/** An empty field has nothing that these keys could move in. */
const whileEmpty: ReadonlySet<string> = new Set(['ArrowLeft']);

const writes = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(?:checkbox|radio|button|submit)$/.test(target.getAttribute('type') ?? '');

const isEmptyField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement && target.value === '';

/** What a key is called in the table. */
function nameOfKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  // With Alt, some keyboards write other letters.
  if (altKey) return `Alt+${/^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key}`;
  const named = key === ' ' ? `${shiftKey ? 'Shift+' : ''}Space` : key;
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${named}`;
}

/** Elements that do something of their own when they are entered. */
const isButton = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('a, button, summary') !== null;

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isSomethingOpen()) return;
  const key = nameOfKey(event);
  if (writes(event.target) && !whileWriting.has(key) && !(whileEmpty.has(key) && isEmptyField(event.target)))
    return;
  for (const command of commandsByKey.get(key) ?? []) {
    if (/^(?:Enter|Space)$/.test(key) && isButton(event.target)) continue;
    for (const handler of handlers.get(command) ?? []) {
      if (handler(event) === false) continue;
      event.preventDefault();
      return;
    }
  }
}

/** Dialogs and menus have the keyboard to themselves, and close by Escape. */
const isSomethingOpen = () => document.querySelector('dialog[open], :popover-open') !== null;

/** Begins to listen; once, at the start. */
export function listenForKeys(): void {
  document.addEventListener('keydown', onKeyDown);
}
