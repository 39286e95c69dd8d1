import { EllipsisVertical } from 'lucide-preact';

import { type Item, openMenu } from './menu.tsx';

interface MenuButtonProps {
  /** What the button is called, and its menu. */
  label: string;
  /** The lines of the menu, as of when it is opened. */
  readonly items: () => readonly Item[];
}

/** Shows a button with three dots that opens a menu. */
export const MenuButton = ({ label, items }: MenuButtonProps) => (
  <button
    type="button"
    class="icon-button"
    aria-label={label}
    aria-haspopup="menu"
    onClick={({ currentTarget }) => openMenu(label, currentTarget, items())}
  >
    <EllipsisVertical />
  </button>
);

/** Opens the menu of a row where a browser would show its own: by the second button of a mouse, or by a key. */
export function openMenuOfRow(event: MouseEvent): void {
  const { currentTarget } = event;
  const button =
    currentTarget instanceof Element && currentTarget.querySelector<HTMLElement>('[aria-haspopup="menu"]');
  if (!button) return;
  event.preventDefault();
  event.stopPropagation();
  button.click();
}
