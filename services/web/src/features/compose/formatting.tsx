import {
  Bold,
  BookMarked,
  Code,
  EyeOff,
  Italic,
  Link,
  List,
  Quote,
  Sigma,
  Strikethrough,
  Trash2,
} from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { memo } from 'preact/compat';

import { type Format, formats } from '../../base/fields/format.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { connection } from '../../data/session/session.ts';
import { composition, openBlank } from '../../data/writing/composition.ts';
import { forgetDraft } from '../../data/writing/sync.ts';
import { toolText } from '../../strings/compose.ts';
import { openSnippets } from './snippets.ts';
import { Tool } from './tool.tsx';

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

interface FormattingProps {
  isBlank: boolean;
  isPreview: boolean;
  readonly onFormat: (format: Format) => void;
  readonly onInsert: (text: string) => void;
}

/** Shows what formats a text, and what is done with all of it. */
export const Formatting = memo(({ isBlank, isPreview, onFormat, onInsert }: FormattingProps) => (
  <div class="tools formatting" role="toolbar" aria-label={toolText.label}>
    {(Object.keys(formats) as Format[]).map((name) => (
      <Tool key={name} name={formats[name].name} isDisabled={isPreview} onPress={() => onFormat(name)}>
        {icons[name]}
      </Tool>
    ))}
    <Tool
      name={toolText.snippets}
      class="after-gap"
      isDisabled={isPreview}
      onPress={(button) => openSnippets(button, composition.peek()?.content ?? '', onInsert)}
    >
      <BookMarked />
    </Tool>
    <Tool
      name={toolText.discard}
      isDisabled={isBlank}
      onPress={() => {
        const draft = composition.peek();
        if (!draft) return;
        openBlank(draft.target);
        forgetDraft(connection(), draft.id).catch(showError);
      }}
    >
      <Trash2 />
    </Tool>
  </div>
));
