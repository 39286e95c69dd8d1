import type { Signal } from '@preact/signals';
import {
  Bold,
  BookMarked,
  Code,
  Eye,
  EyeOff,
  Italic,
  Link,
  List,
  Paperclip,
  Quote,
  Sigma,
  Smile,
  Strikethrough,
  Trash2,
} from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

import { type Format, formats } from '../../base/fields/format.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { connection } from '../../data/session/session.ts';
import { openBlank } from '../../data/writing/composition.ts';
import { type Draft, isBlank } from '../../data/writing/draft.ts';
import { forgetDraft } from '../../data/writing/sync.ts';
import { upload } from '../../data/writing/uploads.ts';
import { commonText } from '../../strings/common.ts';
import { toolText } from '../../strings/compose.ts';
import { pickEmoji } from '../emoji/index.ts';
import { openSnippets } from './snippets.ts';

const icons: Readonly<Record<Format, ComponentChildren>> = {
  bold: <Bold />,
  italic: <Italic />,
  strike: <Strikethrough />,
  code: <Code />,
  link: <Link />,
  list: <List />,
  quote: <Quote />,
  spoiler: <EyeOff />,
  math: <Sigma />,
};

interface ToolsProps {
  draft: Draft;
  isPreview: Signal<boolean>;
  readonly onFormat: (format: Format) => void;
  readonly onInsert: (text: string) => void;
}

/** Shows the toolbar of the compose box. */
export function Tools({ draft, isPreview, onFormat, onInsert }: ToolsProps) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <div class="tools" role="toolbar" aria-label={toolText.label}>
      {(Object.keys(formats) as Format[]).map((name) => (
        <Tool
          key={name}
          name={formats[name].name}
          isDisabled={isPreview.value}
          onPress={() => onFormat(name)}
        >
          {icons[name]}
        </Tool>
      ))}
      <Tool
        name={toolText.emoji}
        isDisabled={isPreview.value}
        onPress={(button) => pickEmoji(button, ({ emoji_name }) => onInsert(`:${emoji_name}: `))}
      >
        <Smile />
      </Tool>
      <Tool name={toolText.attach} isDisabled={isPreview.value} onPress={() => files.current?.click()}>
        <Paperclip />
      </Tool>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={toolText.files}
        onChange={({ currentTarget }) => {
          upload([...(currentTarget.files ?? [])], onInsert);
          currentTarget.value = '';
        }}
      />
      <Tool
        name={toolText.snippets}
        isDisabled={isPreview.value}
        onPress={(button) => openSnippets(button, draft.content, onInsert)}
      >
        <BookMarked />
      </Tool>
      <Tool
        name={commonText.preview}
        isPressed={isPreview.value}
        isDisabled={isBlank(draft)}
        onPress={() => (isPreview.value = !isPreview.value)}
      >
        <Eye />
      </Tool>
      <Tool
        name={toolText.discard}
        isDisabled={isBlank(draft)}
        onPress={() => {
          openBlank(draft.target);
          forgetDraft(connection(), draft.id).catch(showError);
        }}
      >
        <Trash2 />
      </Tool>
    </div>
  );
}

interface ToolProps {
  name: string;
  isDisabled?: boolean;
  isPressed?: boolean;
  children: ComponentChildren;
  readonly onPress: (button: HTMLElement) => void;
}

const Tool = ({ name, isDisabled = false, isPressed, children, onPress }: ToolProps) => (
  <button
    type="button"
    class="icon-button"
    aria-label={name}
    title={name}
    aria-pressed={isPressed}
    disabled={isDisabled}
    onClick={({ currentTarget }) => onPress(currentTarget)}
  >
    {children}
  </button>
);
