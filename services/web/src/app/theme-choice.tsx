import { type ColorScheme, colorScheme, colorSchemes } from '../base/theme/theme.ts';
import { showError } from '../base/toasts/toasts.tsx';
import { connection, isSpectator } from '../data/session/session.ts';
import { themeText } from '../strings/shell.ts';

const names = { system: themeText.system, dark: themeText.dark, light: themeText.light };

/** Dark or light. It is a setting of the account, so that all its browsers follow. */
export const ThemeChoice = () => (
  <label>
    {themeText.theme}{' '}
    <select
      value={String(colorScheme.value)}
      onChange={({ currentTarget }) => void choose(Number(currentTarget.value) as ColorScheme)}
    >
      {(Object.keys(names) as (keyof typeof names)[]).map((name) => (
        <option key={name} value={colorSchemes[name]}>
          {names[name]}
        </option>
      ))}
    </select>
  </label>
);

async function choose(chosen: ColorScheme): Promise<void> {
  const before = colorScheme.peek();
  colorScheme.value = chosen;
  if (isSpectator()) return;
  try {
    await connection().patch('/settings', { color_scheme: chosen });
  } catch (error) {
    colorScheme.value = before;
    showError(error);
  }
}
