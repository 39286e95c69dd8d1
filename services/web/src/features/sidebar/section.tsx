import { ChevronDown, ChevronRight } from 'lucide-preact';
import type { ComponentChildren } from 'preact';

import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { isToggled, toggle } from './folded.ts';

interface SectionProps {
  name: string;
  title: string;
  /** What is unread in it, shown while it is folded. */
  count: number;
  /** Whether it is shown whatever the reader has folded: somebody searches in it. */
  isForced?: boolean;
  children: ComponentChildren;
}

/** A part of the sidebar that the reader can fold. */
export function SidebarSection({ name, title, count, isForced = false, children }: SectionProps) {
  const isFolded = !isForced && isToggled(name);
  return (
    <section>
      <h2>
        <button type="button" aria-expanded={!isFolded} onClick={() => toggle(name)}>
          {isFolded ? <ChevronRight class="small-icon mirrored" /> : <ChevronDown class="small-icon" />}{' '}
          {title}
        </button>
        {isFolded && <UnreadCount count={count} />}
      </h2>
      {!isFolded && children}
    </section>
  );
}
