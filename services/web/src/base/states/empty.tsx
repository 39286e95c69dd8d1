import type { ComponentChildren } from 'preact';

import { type Drawn, drawings } from './drawings.tsx';

import './states.css';

interface EmptyProps {
  drawing: Drawn;
  /** One sentence: why there is nothing, or what went wrong. */
  text: string;
  /** The button that leads on. */
  children?: ComponentChildren;
  isRefusal?: boolean;
}

/** Stands where there is nothing: a drawing, a sentence, and what can be done now. */
export const Empty = ({ drawing, text, children, isRefusal = false }: EmptyProps) => (
  <div class="empty" role={isRefusal ? 'alert' : undefined}>
    <svg class="drawing" viewBox="0 0 120 80" aria-hidden="true">
      {drawings[drawing]}
    </svg>
    <p>{text}</p>
    {children && <div class="empty-buttons">{children}</div>}
  </div>
);
