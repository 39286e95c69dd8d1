import type { ComponentChildren } from 'preact';

interface ToolProps {
  name: string;
  class?: string;
  isDisabled?: boolean;
  isPressed?: boolean;
  children: ComponentChildren;
  readonly onPress: (button: HTMLElement) => void;
}

/** A button of the compose box's toolbars. */
export const Tool = ({
  name,
  class: className = '',
  isDisabled = false,
  isPressed,
  children,
  onPress,
}: ToolProps) => (
  <button
    type="button"
    class={`icon-button ${className}`}
    aria-label={name}
    title={name}
    aria-pressed={isPressed}
    disabled={isDisabled}
    onClick={({ currentTarget }) => onPress(currentTarget)}
  >
    {children}
  </button>
);
