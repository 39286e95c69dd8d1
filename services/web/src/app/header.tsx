import { Menu as MenuIcon, Users } from 'lucide-preact';

import { Picture } from '../base/pictures/picture.tsx';
import { own } from '../data/live/state.ts';
import { isSpectator } from '../data/session/session.ts';
import { SearchField } from '../features/search/index.ts';
import { shellText } from '../strings/shell.ts';
import { MainMenu } from './main-menu.tsx';

interface HeaderProps {
  /** The columns that are open, of those that one can close. */
  isSidebarOpen: boolean;
  isPeopleOpen: boolean;
  readonly onToggle: (column: 'sidebar' | 'people') => void;
}

/** Shows the organization, the search field and the main menu. */
export const Header = ({ isSidebarOpen, isPeopleOpen, onToggle }: HeaderProps) => (
  <header class="top">
    <button
      type="button"
      class="icon-button only-narrow"
      aria-label={shellText.conversations}
      aria-controls="sidebar"
      aria-expanded={isSidebarOpen}
      onClick={() => onToggle('sidebar')}
    >
      <MenuIcon />
    </button>
    <Organization />
    <SearchField />
    <div class="top-end">
      {!isSpectator() && (
        <button
          type="button"
          class="icon-button"
          aria-label={shellText.people}
          title={shellText.people}
          aria-controls="people"
          aria-expanded={isPeopleOpen}
          onClick={() => onToggle('people')}
        >
          <Users />
        </button>
      )}
      <MainMenu />
    </div>
  </header>
);

function Organization() {
  const [name, icon] = [own('realm_name'), own('realm_icon_url')];
  return (
    <a class="organization" href="#home" title={shellText.home}>
      {typeof icon === 'string' && <Picture src={icon} alt="" size={28} name={name} />}
      <span class="organization-name" dir="auto">
        {name}
      </span>
    </a>
  );
}
