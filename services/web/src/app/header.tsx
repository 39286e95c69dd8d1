import { EllipsisVertical, Menu as MenuIcon, Users } from 'lucide-preact';

import { showKeys } from '../base/keys/key-help.tsx';
import { Picture } from '../base/pictures/picture.tsx';
import { own } from '../data/live/state.ts';
import { isSpectator, logOut, start } from '../data/session/session.ts';
import { showStatus } from '../features/people/index.ts';
import { SearchField } from '../features/search/index.ts';
import { commonText } from '../strings/common.ts';
import { shellText } from '../strings/shell.ts';
import { viewText } from '../strings/views.ts';
import { ThemeChoice } from './theme-choice.tsx';

interface HeaderProps {
  open: 'sidebar' | 'people' | null;
  readonly onToggle: (column: 'sidebar' | 'people') => void;
}

/** Shows the organization, the search field and the main menu. */
export const Header = ({ open, onToggle }: HeaderProps) => (
  <header class="top">
    <button
      type="button"
      class="icon-button only-narrow"
      aria-label={shellText.conversations}
      aria-controls="sidebar"
      aria-expanded={open === 'sidebar'}
      onClick={() => onToggle('sidebar')}
    >
      <MenuIcon />
    </button>
    <Organization />
    <SearchField />
    {!isSpectator() && (
      <button
        type="button"
        class="icon-button only-not-wide"
        aria-label={shellText.people}
        aria-controls="people"
        aria-expanded={open === 'people'}
        onClick={() => onToggle('people')}
      >
        <Users />
      </button>
    )}
    <Menu />
  </header>
);

function Organization() {
  const [name, icon] = [own('realm_name'), own('realm_icon_url')];
  return (
    <a class="organization" href="#home" title={shellText.home}>
      {typeof icon === 'string' && <Picture src={icon} alt="" size={28} name={name} />}
      <span>{name}</span>
    </a>
  );
}

function Menu() {
  return (
    <>
      <button type="button" class="icon-button" aria-label={shellText.menu} popovertarget="menu">
        <EllipsisVertical />
      </button>
      <div id="menu" class="menu" popover="auto">
        {isSpectator() ? (
          <button type="button" class="primary" onClick={() => void start()}>
            {commonText.logIn}
          </button>
        ) : (
          <>
            <p>
              {own('full_name')}
              <br />
              <span class="dim">{String(own('delivery_email'))}</span>
            </p>
            <button type="button" popovertarget="menu" popovertargetaction="hide" onClick={showStatus}>
              {shellText.status}
            </button>
            <a href="#settings">{viewText.settings}</a>
            <a href="#administration">{viewText.organization}</a>
            <button type="button" onClick={() => void logOut()}>
              {shellText.logOut}
            </button>
          </>
        )}
        <ThemeChoice />
        <button type="button" popovertarget="menu" popovertargetaction="hide" onClick={showKeys}>
          {shellText.keys}
        </button>
        <a href="#about">{viewText.about}</a>
      </div>
    </>
  );
}
