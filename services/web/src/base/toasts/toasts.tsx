import { signal } from '@preact/signals';
import { X } from 'lucide-preact';

import { errorText } from '../../strings/errors.ts';
import { shellText } from '../../strings/shell.ts';
import { createCounter } from '../functions/counter.ts';

import './toasts.css';

interface Toast {
  id: number;
  text: string;
  kind: 'news' | 'refusal';
}

const shownMs = 8000;
const toasts = signal<readonly Toast[]>([]);
const nextId = createCounter();

const remove = (id: number) => (toasts.value = toasts.value.filter((toast) => toast.id !== id));

/** Shows a text for some seconds. */
export function showToast(text: string, kind: Toast['kind'] = 'news'): void {
  const id = nextId();
  toasts.value = [...toasts.value.slice(-4), { id, text, kind }];
  setTimeout(() => remove(id), shownMs);
}

/** Shows what went wrong. */
export const showError = (error: unknown): void => showToast(errorText(error), 'refusal');

/** What stands between backticks is code, as in messages. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

/** Shows the toasts, where they cover nothing that one writes with. Screen readers announce them when they appear. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, kind }) => (
      <div key={id} class={`toast ${kind}`}>
        <span>{withCode(text)}</span>
        <button type="button" class="icon-button" aria-label={shellText.dismiss} onClick={() => remove(id)}>
          <X />
        </button>
      </div>
    ))}
  </div>
);
