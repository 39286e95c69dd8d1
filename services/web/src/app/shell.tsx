import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { Suspense, flushSync } from 'preact/compat';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { Route, Router, Switch, useLocation } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';

import { Boundary } from '../base/dialogs/boundary.tsx';
import { useCommand } from '../base/keys/commands.ts';
import { go, replaceFragment } from '../base/router/fragment.ts';
import { isSearch } from '../base/router/narrow-kind.ts';
import { readNarrow, viewKeyOf } from '../base/router/narrow.ts';
import { useViewTitle } from '../base/router/view-title.ts';
import { Skeleton } from '../base/states/skeleton.tsx';
import { showReadingSize, usualLine, usualSize } from '../base/theme/reading-size.ts';
import { type ColorScheme, colorScheme } from '../base/theme/theme.ts';
import { endFirstLook } from '../data/live/first-look.ts';
import { userSetting } from '../data/live/state.ts';
import { watchOrigins } from '../data/searches/search-origin.ts';
import { isSpectator, start } from '../data/session/session.ts';
import { commonText } from '../strings/common.ts';
import { sessionText } from '../strings/session.ts';

import './shell.css';
import { shellText } from '../strings/shell.ts';
import { Banner } from './banner.tsx';
import { hasRoomForPeople, isPeopleColumnOpen, sidebarWidth } from './columns.ts';
import { ComposeToCome } from './compose-to-come.tsx';
import { around } from './load-around.ts';
import { Resizer } from './resizer.tsx';
import { homeViews, views } from './views.tsx';

/** The chat: header, sidebar, the view that the fragment names, and people. */
export function Shell() {
  const drawer = useSignal<Column | null>(null);
  const [location] = useHashLocation();
  useEffect(watchOrigins, []);
  useEffect(() => void (drawer.value = null), [location]);
  useCommand('escape', () => closeOr(drawer));
  useCommand('feed', () => go('feed'));
  useCommand('inbox', () => (isSpectator() ? false : go('inbox')));
  useCommand('recent', () => (isSpectator() ? false : go('recent')));
  useCommand('starred', () => go('narrow/is/starred'));
  useSignalEffect(() => {
    if (!isSpectator()) colorScheme.value = (userSetting('color_scheme') ?? 1) as ColorScheme;
  });
  useReadingSize();
  useFirstLook(location);
  useCommand('people', () => (isSpectator() ? false : focusPeople(drawer)));
  const isFull = /^\/(?:settings|administration)\b/.test(location);
  const parts = around();
  return (
    <Router hook={useHashLocation}>
      <a class="skip-link" href="#main" onClick={skipToMain}>
        {shellText.skipToMain}
      </a>
      <div
        class={shellClass(drawer.value, isFull)}
        style={{ '--sidebar-width': `${sidebarWidth() / 16}rem` }}
      >
        {parts ? (
          <parts.Header
            isSidebarOpen={drawer.value === 'sidebar'}
            isPeopleOpen={drawer.value === 'people' || (hasRoomForPeople() && isPeopleColumnOpen.value)}
            onToggle={(column) => toggle(drawer, column)}
          />
        ) : (
          <div class="top" />
        )}
        <Banner />
        <nav id="sidebar" class="sidebar-column" aria-label={shellText.conversations}>
          <Boundary>{parts ? <parts.Sidebar /> : <Skeleton rows={12} kind="lines" />}</Boundary>
        </nav>
        <Resizer />
        <main id="main" class="main-column" tabIndex={-1}>
          <Boundary key={viewKeyOf(location.slice(1))}>
            <Suspense fallback={<Skeleton />}>
              <CurrentView />
            </Suspense>
          </Boundary>
          {!isSpectator() && !isFull && <Boundary>{parts ? <parts.Compose /> : <ComposeToCome />}</Boundary>}
        </main>
        {!isSpectator() && (
          <aside id="people" class="people-column" aria-label={shellText.people}>
            <Boundary>{parts && <parts.People />}</Boundary>
          </aside>
        )}
        {parts && <parts.Besides />}
        {drawer.value && (
          <div class="drawer-shade" onClick={() => (drawer.value = null)} aria-hidden="true" />
        )}
      </div>
    </Router>
  );
}

/** The longest that everything else waits for the messages of the first look. */
const firstLookMs = 2000;

/** A view of messages says when they are drawn; others are drawn with all that is around them. */
function useFirstLook(location: string): void {
  const narrow = readNarrow(location.slice(1));
  const isOfMessages = narrow === null ? location === '/feed' : !isSearch(narrow);
  useLayoutEffect(() => {
    if (!isOfMessages) endFirstLook();
  }, [isOfMessages]);
  useEffect(() => {
    const timer = setTimeout(endFirstLook, firstLookMs);
    return () => clearTimeout(timer);
  }, []);
}

/** Messages are as large and as wide as the person has set. */
function useReadingSize(): void {
  useSignalEffect(() => {
    showReadingSize({
      sizePx: userSetting('web_font_size_px') ?? usualSize,
      linePercent: userSetting('web_line_height_percent') ?? usualLine,
      isFluid: userSetting('fluid_layout_width') === true,
    });
  });
}

type Column = 'sidebar' | 'people';

/** Returns what the style sheet needs to know of the columns. */
function shellClass(drawer: Column | null, isFull: boolean): string {
  const names = [
    'shell',
    drawer,
    isFull && 'full-page',
    (isSpectator() || !isPeopleColumnOpen.value) && 'without-people',
  ];
  return names.filter(Boolean).join(' ');
}

/** Opens or closes a column: a drawer, unless there is room for it beside the messages. */
function toggle(drawer: Signal<Column | null>, column: Column): void {
  if (column === 'people' && hasRoomForPeople()) isPeopleColumnOpen.value = !isPeopleColumnOpen.peek();
  else drawer.value = drawer.peek() === column ? null : column;
}

/** Shows the people and lets the reader search them. */
function focusPeople(drawer: Signal<Column | null>): void {
  // What is typed next goes there.
  flushSync(() => {
    if (hasRoomForPeople()) isPeopleColumnOpen.value = true;
    else drawer.value = 'people';
  });
  document.getElementById('people')?.querySelector('input')?.focus();
}

function closeOr(drawer: { value: string | null }): boolean {
  if (drawer.value !== null) {
    drawer.value = null;
    return true;
  }
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return false;
  activeElement.blur();
  return true;
}

/** The fragment names a view, so the link moves the focus itself. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const CurrentView = () => (
  <Switch>
    {views.map(({ path, title, component: View, isForMembers = false }) => (
      <Route key={path} path={path}>
        {title !== null && <Title text={title} />}
        {isForMembers && isSpectator() ? <ForMembers /> : <View />}
      </Route>
    ))}
    <Route>
      <Home />
    </Route>
  </Switch>
);

const ForMembers = () => (
  <div class="plain-page">
    <p>{sessionText.logInToView}</p>
    <button type="button" class="primary" onClick={() => void start()}>
      {commonText.logIn}
    </button>
  </div>
);

function Title({ text }: { text: string }) {
  useViewTitle(text);
  return null;
}

/** Any other fragment leads to the view that the person begins with. */
function Home() {
  const [location] = useLocation();
  const home = isSpectator() ? 'feed' : (homeViews[String(userSetting('web_home_view'))] ?? 'feed');
  useEffect(() => replaceFragment(home), [location, home]);
  return null;
}
