import { useSignal } from '@preact/signals';
import type { Ref, RefObject } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef } from 'preact/hooks';
import { insertTextIntoField } from 'text-field-edit';

import { type Format, format, formatOfKey } from '../../base/fields/format.ts';
import { OptionList } from '../../base/options/option-list.tsx';
import type { Suggestion } from '../../base/options/suggestion.ts';
import { useOptions } from '../../base/options/use-options.ts';
import { slice, userSetting } from '../../data/live/state.ts';
import { commonText } from '../../strings/common.ts';
import { suggest } from './complete/suggestions.ts';
import { type Trigger, triggerAt } from './complete/trigger.ts';
import { pasteFormatted } from './paste.ts';

/** What others do with the field. */
export interface FieldHandle {
  focus(): void;
  format(wanted: Format): void;
  /** Puts a text where the caret is. */
  insert(text: string): void;
}

interface MarkdownFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  /** The channel that is written to: its people are suggested first. */
  channelId: number | null;
  handle?: Ref<FieldHandle>;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onFiles?: (files: readonly File[]) => void;
  readonly onBlur?: () => void;
}

/** A field for Markdown, with completion, keys that format, and files that are pasted or dropped. */
export function MarkdownField(props: MarkdownFieldProps) {
  const { label, placeholder, value, channelId, handle, onText, onSend, onFiles, onBlur } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(field, channelId);
  const { list, options, updateTrigger, endTrigger, choose } = completion;
  const withField = (act: (area: HTMLTextAreaElement) => void) => {
    if (field.current) act(field.current);
  };
  useImperativeHandle(
    handle ?? null,
    () => ({
      focus: () => field.current?.focus(),
      format: (wanted) => withField((area) => format(area, wanted)),
      insert: (text) => withField((area) => insertTextIntoField(area, text)),
    }),
    [],
  );
  useLayoutEffect(() => withField(grow), [value]);

  function onKeyDown(event: KeyboardEvent): void {
    if (completion.takesKey(event)) return;
    const wanted = formatOfKey(event);
    if (wanted) withField((area) => format(area, wanted));
    else if (isSend(event)) onSend();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="markdown-field">
      {list.isOpen && (
        <OptionList
          id={list.id}
          label={commonText.suggestions}
          options={options}
          active={list.active}
          onChoose={choose}
        />
      )}
      <textarea
        dir="auto"
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        rows={1}
        value={value}
        {...list.attributes}
        onInput={({ currentTarget }) => {
          onText(currentTarget.value);
          updateTrigger(currentTarget);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={({ key, currentTarget }) => {
          if (/^(?:Arrow(?:Left|Right)|Home|End)$/.test(key)) updateTrigger(currentTarget);
        }}
        onClick={({ currentTarget }) => updateTrigger(currentTarget)}
        onBlur={() => {
          endTrigger();
          onBlur?.();
        }}
        onPaste={(event) => paste(event, onFiles)}
        onDragOver={(event) => {
          if (onFiles && event.dataTransfer?.types.includes('Files')) event.preventDefault();
        }}
        onDrop={(event) => acceptFiles(event, event.dataTransfer, onFiles)}
      />
    </div>
  );
}

/** Completes what is written where the caret is. */
function useCompletion(field: RefObject<HTMLTextAreaElement>, channelId: number | null) {
  const trigger = useSignal<Trigger | null>(null);
  const found = trigger.value;
  const options = found ? suggestions(found, channelId) : [];
  const list = useOptions(options, choose);
  const endTrigger = () => void (trigger.value = null);

  function updateTrigger(area: HTMLTextAreaElement): void {
    const next =
      area.selectionStart === area.selectionEnd ? triggerAt(area.value, area.selectionStart) : null;
    if (JSON.stringify(next) === JSON.stringify(trigger.peek())) return;
    trigger.value = next;
    list.first();
  }

  function choose({ text }: Suggestion, end = ''): void {
    const area = field.current;
    if (!area || !found) return;
    area.setSelectionRange(found.start, found.end);
    insertTextIntoField(area, end ? text.trimEnd().replace(/\*\*$/, end) : text);
    endTrigger();
    updateTrigger(area);
  }

  /** Handles a key that chooses, or ends the completion. */
  function takesKey(event: KeyboardEvent): boolean {
    const active = options[list.active];
    // After a channel comes its topic.
    if (event.key === '>' && found?.kind === 'channel' && found.query !== '' && active) {
      event.preventDefault();
      choose(active, '>');
      return true;
    }
    if (list.onKeyDown(event)) return true;
    if (event.key !== 'Escape' || !list.isOpen) return false;
    event.preventDefault();
    event.stopPropagation();
    endTrigger();
    return true;
  }
  return { list, options, updateTrigger, endTrigger, choose, takesKey };
}

/** The state is read, so that whoever comes meanwhile is suggested too. */
function suggestions(trigger: Trigger, channelId: number | null): Suggestion[] {
  for (const name of ['users', 'groups', 'subscriptions', 'channels'] as const) slice(name);
  return suggest(trigger, channelId);
}

/** Ctrl+Enter sends; so does Enter, where the person has set it. Shift+Enter always begins a line. */
function isSend({ key, ctrlKey, metaKey, shiftKey, isComposing }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey || isComposing) return false;
  return ctrlKey || metaKey || userSetting('enter_sends') === true;
}

/** Text that comes with a picture of itself, as from a table, is text. */
function paste(
  event: ClipboardEvent & { readonly currentTarget: HTMLTextAreaElement },
  onFiles?: (files: readonly File[]) => void,
): void {
  const { clipboardData: data, currentTarget: area } = event;
  if (data?.getData('text/plain')) {
    if (pasteFormatted(area, data)) event.preventDefault();
  } else acceptFiles(event, data, onFiles);
}

function acceptFiles(
  event: Event,
  data: DataTransfer | null,
  onFiles?: (files: readonly File[]) => void,
): void {
  const files = [...(data?.files ?? [])];
  if (!onFiles || files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}

/** Most browsers make a field as high as its text themselves, where its style asks for it. */
const growsItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content');

/**
 * Makes the field as high as its text, within the limits of CSS. Nothing around it moves while it is measured. That lays out
 * the whole page twice for each key, also what has come meanwhile.
 */
function grow(area: HTMLTextAreaElement): void {
  if (growsItself) return;
  const holder = area.parentElement ?? area;
  holder.style.minHeight = `${holder.offsetHeight}px`;
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight + 2}px`;
  holder.style.minHeight = '';
}
