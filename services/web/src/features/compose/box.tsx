import { useSignal } from '@preact/signals';
import { ChevronDown, Clock, SendHorizontal, X } from 'lucide-preact';
import type { ComponentChildren, RefObject } from 'preact';
import { memo } from 'preact/compat';
import { useCallback, useEffect, useRef } from 'preact/hooks';

import { type Item, openMenu } from '../../base/dialogs/menu.tsx';
import type { Format } from '../../base/fields/format.ts';
import { useCommand } from '../../base/keys/commands.ts';
import { attempt } from '../../data/actions/verbs.ts';
import { own, peek, userSetting } from '../../data/live/state.ts';
import { saveSetting } from '../../data/session/save-setting.ts';
import {
  appendContent,
  closeComposition,
  focusAsked,
  setContent,
  setTarget,
} from '../../data/writing/composition.ts';
import { type Draft, isBlank } from '../../data/writing/draft.ts';
import { send } from '../../data/writing/send.ts';
import { destinationOf, keyOf, nameOf } from '../../data/writing/target.ts';
import { topicRuleOf } from '../../data/writing/topic-rule.ts';
import { upload, uploads } from '../../data/writing/uploads.ts';
import { composeText, uploadText } from '../../strings/compose.ts';
import { isDragging } from './dropped-files.ts';
import { Formatting } from './formatting.tsx';
import { type FieldHandle, MarkdownField } from './markdown-field.tsx';
import { Preview } from './preview.tsx';
import { Recipients } from './recipients.tsx';
import { sendLater } from './send-later.ts';
import { Tools, isFormatting } from './tools.tsx';
import { Typing } from './typing.tsx';
import { UploadList } from './upload-list.tsx';
import { useFolded } from './use-folded.ts';
import { warningsOf } from './warnings.ts';

interface ComposeBoxProps {
  draft: Draft;
  /** Whether the box is open because somebody opened it. */
  canClose: boolean;
  /** Whether it goes to the conversation that is shown, so that its recipients need not be said. */
  isOfView: boolean;
  /** Is given what puts a text where the caret is. */
  insert: RefObject<(text: string) => void>;
}

/** Shows the box in which a message is written. */
export function ComposeBox({ draft, canClose, isOfView, insert: insertRef }: ComposeBoxProps) {
  const { target, content, id } = draft;
  const field = useRef<FieldHandle>(null);
  const isPreview = useSignal(false);
  const isExpanded = useSignal(false);
  const { field: wanted, times } = focusAsked.value;
  useEffect(() => {
    if (wanted === 'text' && times > 0) field.current?.focus();
  }, [times]);
  useEffect(() => {
    isPreview.value = false;
    isExpanded.value = false;
  }, [id]);
  const { isReady, warnings, isWarned, trySend } = useSending(draft, () => field.current?.focus());
  const insert = useCallback((text: string) => {
    if (field.current) field.current.insert(text);
    else appendContent(text);
  }, []);
  const applyFormat = useCallback((format: Format) => field.current?.format(format), []);
  insertRef.current = insert;
  const { isFolded, handlers: onFold } = useFolded(draft, isOfView);
  return (
    // Escape folds the box, from whichever of its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      class={classOf({ isFolded, isOfView, isExpanded: isExpanded.value && !isFolded })}
      aria-label={composeText.form}
      {...onFold}
      onSubmit={(event) => {
        event.preventDefault();
        trySend();
      }}
    >
      <Typing place={destinationOf(target) && keyOf(target, peek().own.user_id)} />
      <div class="compose-card">
        {isDragging.value && <p class="drop-hint">{uploadText.drop}</p>}
        <div class="compose-to">
          <Recipients target={target} onTarget={setTarget} />
          {canClose && (
            <button
              type="button"
              class="icon-button"
              aria-label={composeText.close}
              onClick={closeComposition}
            >
              <X />
            </button>
          )}
        </div>
        {isPreview.value ? (
          <Preview content={content} />
        ) : (
          <MarkdownField
            handle={field}
            label={composeText.message}
            placeholder={composeText.placeholder(nameOf(target, peek()))}
            value={content}
            channelId={target.kind === 'channel' ? target.channelId : null}
            onText={setContent}
            onSend={trySend}
            onFiles={(files) => upload(files, insert)}
          />
        )}
        <UploadList />
        <Warnings texts={warnings.map(({ text }) => text)} />
        {isFormatting.value && !isFolded && (
          <Formatting
            isBlank={isBlank(draft)}
            isPreview={isPreview.value}
            onFormat={applyFormat}
            onInsert={insert}
          />
        )}
        <Foot draft={draft} isReady={isReady} isWarned={isWarned}>
          <Tools isBlank={isBlank(draft)} isPreview={isPreview} isExpanded={isExpanded} onInsert={insert} />
        </Foot>
      </div>
    </form>
  );
}

const classOf = (state: { isFolded: boolean; isOfView: boolean; isExpanded: boolean }): string =>
  [
    'compose',
    state.isFolded && 'is-folded',
    state.isOfView && 'is-of-view',
    state.isExpanded && 'is-expanded',
  ]
    .filter(Boolean)
    .join(' ');

const Warnings = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => (
    <p key={text} class="compose-warning" role="status">
      {text}
    </p>
  ));

/** Returns whether a draft can be sent, what its writer should know before, and what sends it. */
function useSending(draft: Draft, focus: () => void) {
  const { target, content, id } = draft;
  /** The text about which the writer has been warned. */
  const warned = useSignal<string | null>(null);
  useEffect(() => void (warned.value = null), [id]);
  useCommand('send', () => {
    if (!document.activeElement?.closest('.compose')) return false;
    trySend();
    return true;
  });
  const warnings = warningsOf(target, content);
  const isGrave = warnings.some((warning) => warning.isGrave);
  const lacksTopic =
    target.kind === 'channel' && target.topic.trim() === '' && topicRuleOf(target.channelId) === 'named';
  const isReady =
    destinationOf(target) !== null &&
    !lacksTopic &&
    !isBlank(draft) &&
    lengthOf(draft) <= Number(own('max_message_length')) &&
    uploads.value.length === 0;

  function trySend(): void {
    if (!isReady) return;
    if (isGrave && warned.peek() !== content) {
      warned.value = content;
      return;
    }
    void send();
    focus();
  }
  return { isReady, warnings, isWarned: isGrave && warned.value === content, trySend };
}

const lengthOf = ({ content }: Draft) => [...content].length;

// The same element each time is not compared again with every key.
const laterDrawing = <Clock />;
const sendDrawing = <SendHorizontal class="mirrored" />;

interface FootProps {
  draft: Draft;
  isReady: boolean;
  /** Whether the writer was asked whether they mean it. */
  isWarned: boolean;
  children: ComponentChildren;
}

function Foot({ draft, isReady, isWarned, children }: FootProps) {
  const max = Number(own('max_message_length'));
  const length = lengthOf(draft);
  return (
    <div class="compose-foot">
      {children}
      {length > max * 0.9 && (
        <span class={length > max ? 'refusal-text' : 'dim'}>{composeText.length(length, max)}</span>
      )}
      <button
        type="button"
        class="icon-button send-later"
        aria-label={composeText.sendLater}
        title={composeText.sendLater}
        disabled={!isReady}
        onClick={() => sendLater(draft)}
      >
        {laterDrawing}
      </button>
      <button type="submit" class="primary send-button" disabled={!isReady}>
        {sendDrawing}
        <span>{isWarned ? composeText.sendAnyway : composeText.send}</span>
      </button>
      <HowToSend />
    </div>
  );
}

/** Lets the writer choose which key sends, beside what it does. */
const HowToSend = memo(() => (
  <button
    type="button"
    class="icon-button how-to-send only-unfolded"
    aria-label={composeText.howToSend}
    title={userSetting('enter_sends') === true ? composeText.enterSends : composeText.ctrlEnterSends}
    aria-haspopup="menu"
    onClick={({ currentTarget }) => openMenu(composeText.howToSend, currentTarget, waysToSend())}
  >
    <ChevronDown />
  </button>
));

function waysToSend(): Item[] {
  const isEnter = peek().own.user_settings.enter_sends === true;
  const way = (name: string, value: boolean) => ({
    name,
    isChosen: isEnter === value,
    act: () => attempt(saveSetting('enter_sends', value)),
  });
  return [way(composeText.enterSends, true), way(composeText.ctrlEnterSends, false)];
}
