import type { Signal } from '@preact/signals';
import { ALargeSmall, Eye, Maximize2, Minimize2, Paperclip, Smile, Video } from 'lucide-preact';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';

import { isBoolean, kept } from '../../base/functions/kept.ts';
import { useCommand } from '../../base/keys/commands.ts';
import { upload } from '../../data/writing/uploads.ts';
import { commonText } from '../../strings/common.ts';
import { toolText } from '../../strings/compose.ts';
import { pickEmoji } from '../emoji/index.ts';
import { callLink, callServer, newCall } from './call.ts';
import { Tool } from './tool.tsx';

/** Whether the buttons that format a text are shown, in this browser. */
export const isFormatting = kept('parley-formatting', false, isBoolean);

interface ToolsProps {
  isBlank: boolean;
  isPreview: Signal<boolean>;
  isExpanded: Signal<boolean>;
  readonly onInsert: (text: string) => void;
}

/** Shows the toolbar of the compose box. */
export const Tools = memo(function Tools({ isBlank, isPreview, isExpanded, onInsert }: ToolsProps) {
  useCommand('preview', () => void (isPreview.value = !isPreview.value));
  const files = useRef<HTMLInputElement>(null);
  return (
    <div class="tools" role="toolbar" aria-label={toolText.tools}>
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
        name={toolText.emoji}
        isDisabled={isPreview.value}
        onPress={(button) => pickEmoji(button, ({ emoji_name }) => onInsert(`:${emoji_name}: `))}
      >
        <Smile />
      </Tool>
      {callServer() !== null && (
        <Tool
          name={toolText.call}
          class="only-unfolded"
          isDisabled={isPreview.value}
          onPress={() => {
            const address = newCall();
            if (address !== null) onInsert(callLink(address));
          }}
        >
          <Video />
        </Tool>
      )}
      <Tool
        name={toolText.label}
        class="only-unfolded"
        isPressed={isFormatting.value}
        onPress={() => (isFormatting.value = !isFormatting.value)}
      >
        <ALargeSmall />
      </Tool>
      <Tool
        name={commonText.preview}
        class="only-unfolded"
        isPressed={isPreview.value}
        isDisabled={isBlank}
        onPress={() => (isPreview.value = !isPreview.value)}
      >
        <Eye />
      </Tool>
      <Tool
        name={isExpanded.value ? toolText.shrink : toolText.expand}
        class="only-unfolded"
        onPress={() => (isExpanded.value = !isExpanded.value)}
      >
        {isExpanded.value ? <Minimize2 /> : <Maximize2 />}
      </Tool>
    </div>
  );
});
