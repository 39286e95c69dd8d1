import { EllipsisVertical } from 'lucide-preact';

import { showKeys } from '../base/keys/key-help.tsx';
import { own } from '../data/live/state.ts';
import { isSpectator, logOut, start } from '../data/session/session.ts';
import { Avatar } from '../features/avatars/index.ts';
import { showStatus } from '../features/people/index.ts';
import { commonText } from '../strings/common.ts';
import { shellText } from '../strings/shell.ts';
import { viewText } from '../strings/views.ts';
import { ThemeChoice } from './theme-choice.tsx';

/** The button with one's own picture, and the menu that it opens. */
export const MainMenu = () => (
  <>
    <button
      type="button"
      class="icon-button own-button"
      aria-label={shellText.menu}
      title={shellText.menu}
      popovertarget="menu"
    >
      {isSpectator() ? <EllipsisVertical /> : <Avatar id={own('user_id')} size={28} hasPresence />}
    </button>
    <div id="menu" class="menu" popover="auto">
      {isSpectator() ? (
        <button type="button" class="primary" onClick={() => void start()}>
          {commonText.logIn}
        </button>
      ) : (
        <OfMember />
      )}
      <ThemeChoice />
      <button type="button" popovertarget="menu" popovertargetaction="hide" onClick={showKeys}>
        {shellText.keys}
      </button>
      <a href="#about">{viewText.about}</a>
      {!isSpectator() && (
        <>
          <hr />
          <button type="button" onClick={() => void logOut()}>
            {shellText.logOut}
          </button>
        </>
      )}
    </div>
  </>
);

const OfMember = () => (
  <>
    <div class="menu-self">
      <Avatar id={own('user_id')} size={36} />
      <p>
        <strong dir="auto">{own('full_name')}</strong>
        <br />
        <span class="dim">{String(own('delivery_email'))}</span>
      </p>
    </div>
    <hr />
    <button type="button" popovertarget="menu" popovertargetaction="hide" onClick={showStatus}>
      {shellText.status}
    </button>
    <a href="#settings">{viewText.settings}</a>
    <a href="#administration">{viewText.organization}</a>
  </>
);
