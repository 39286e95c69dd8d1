import { shellText } from '../strings/shell.ts';
import { setSidebarWidth, sidebarWidth, sidebarWidths } from './columns.ts';

const steps: Readonly<Record<string, number>> = { ArrowRight: 16, ArrowLeft: -16 };

const isMirrored = (element: Element) => getComputedStyle(element).direction === 'rtl';
const pixelsPerRem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/** The edge of the sidebar, which is moved with the mouse, a finger or arrow keys. Twice pressed, it is where it was. */
export const Resizer = () => (
  <div
    class="resizer"
    role="separator"
    aria-orientation="vertical"
    aria-label={shellText.resize}
    aria-valuemin={sidebarWidths.least}
    aria-valuemax={sidebarWidths.most}
    aria-valuenow={sidebarWidth()}
    // It is moved by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    tabIndex={0}
    onPointerDown={(event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.preventDefault();
    }}
    onPointerMove={({ currentTarget, pointerId, clientX }) => {
      if (!currentTarget.hasPointerCapture(pointerId)) return;
      const fromEdge = isMirrored(currentTarget) ? innerWidth - clientX : clientX;
      setSidebarWidth(fromEdge / pixelsPerRem());
    }}
    onDblClick={() => setSidebarWidth(sidebarWidths.usual)}
    onKeyDown={(event) => {
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      setSidebarWidth(sidebarWidth() + (isMirrored(event.currentTarget) ? -step : step));
    }}
  />
);
