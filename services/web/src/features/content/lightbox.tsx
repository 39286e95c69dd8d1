import { type Signal, useSignal } from '@preact/signals';
import { ChevronLeft, ChevronRight, Download, ExternalLink, X, ZoomIn, ZoomOut } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { commonText } from '../../strings/common.ts';
import { contentText, pictureText } from '../../strings/messages.ts';

import './lightbox.css';
import { type Zoom, around, panned, whole, zoomStep, zoomed } from './zoom.ts';

/** A picture of a message. */
export interface Picture {
  address: string;
  name: string;
}

interface LightboxProps {
  pictures: readonly Picture[];
  at: number;
  readonly onStep: (at: number) => void;
  readonly onClose: () => void;
}

/** Shows pictures one after another, as large as the window, and larger. */
export function Lightbox({ pictures, at, onStep, onClose }: LightboxProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const zoom = useSignal<Zoom>(whole);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => void (zoom.value = whole), [at]);
  const picture = pictures[at];
  if (!picture) return null;
  const step = (by: number) => onStep(around(at, by, pictures.length));
  const name = picture.name || contentText.picture;
  return (
    // The dialog has the keyboard to itself.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      class="lightbox"
      aria-label={name}
      onClose={onClose}
      onKeyDown={(event) => pressKey(event, zoom, step)}
    >
      <header>
        <h2 dir="auto">{name}</h2>
        {pictures.length > 1 && (
          <span class="dim" role="status">
            {pictureText.position(at + 1, pictures.length)}
          </span>
        )}
        <Tools picture={picture} zoom={zoom} />
        <Button name={commonText.close} onPress={() => dialog.current?.close()}>
          <X />
        </Button>
      </header>
      <div class="lightbox-stage">
        {pictures.length > 1 && (
          <Button name={pictureText.previous} onPress={() => step(-1)}>
            <ChevronLeft class="mirrored" />
          </Button>
        )}
        <Stage picture={picture} zoom={zoom} />
        {pictures.length > 1 && (
          <Button name={pictureText.next} onPress={() => step(1)}>
            <ChevronRight class="mirrored" />
          </Button>
        )}
      </div>
    </dialog>
  );
}

interface ButtonProps {
  name: string;
  isDisabled?: boolean;
  children: ComponentChildren;
  readonly onPress: () => void;
}

const Button = ({ name, isDisabled = false, children, onPress }: ButtonProps) => (
  <button
    type="button"
    class="icon-button"
    aria-label={name}
    title={name}
    disabled={isDisabled}
    onClick={onPress}
  >
    {children}
  </button>
);

const Tools = ({ picture, zoom }: { picture: Picture; zoom: Signal<Zoom> }) => (
  <>
    <Button
      name={pictureText.smaller}
      isDisabled={zoom.value.scale === 1}
      onPress={() => (zoom.value = zoomed(zoom.peek(), 1 / zoomStep))}
    >
      <ZoomOut />
    </Button>
    <Button name={pictureText.larger} onPress={() => (zoom.value = zoomed(zoom.peek(), zoomStep))}>
      <ZoomIn />
    </Button>
    <a
      class="button icon-button"
      href={picture.address}
      download
      aria-label={pictureText.download}
      title={pictureText.download}
    >
      <Download class="small-icon" />
    </a>
    <a
      class="button icon-button"
      href={picture.address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={contentText.openOriginal}
      title={contentText.openOriginal}
    >
      <ExternalLink class="small-icon" />
    </a>
  </>
);

/** The picture itself: a wheel zooms, a pointer draws it along, and a double click zooms and shows all of it again. */
function Stage({ picture, zoom }: { picture: Picture; zoom: Signal<Zoom> }) {
  const { scale, x, y } = zoom.value;
  return (
    // Keys and buttons do the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-static-element-interactions
    <div
      class={`lightbox-picture ${scale > 1 ? 'is-zoomed' : ''}`}
      onWheel={(event) => {
        event.preventDefault();
        zoom.value = zoomed(zoom.peek(), event.deltaY < 0 ? zoomStep : 1 / zoomStep);
      }}
      onDblClick={() => (zoom.value = zoom.peek().scale > 1 ? whole : zoomed(whole, 2))}
      onPointerMove={(event) => {
        if (event.buttons === 1) zoom.value = panned(zoom.peek(), event.movementX, event.movementY);
      }}
    >
      <img
        key={picture.address}
        src={picture.address}
        alt={picture.name}
        draggable={false}
        style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
      />
    </div>
  );
}

/** Arrows lead to the picture beside, along the line of writing; plus, minus and nought zoom. */
function pressKey(event: KeyboardEvent, zoom: Signal<Zoom>, step: (by: number) => void): void {
  const forward = getComputedStyle(document.documentElement).direction === 'rtl' ? -1 : 1;
  const acts: Readonly<Record<string, () => void>> = {
    ArrowRight: () => step(forward),
    ArrowLeft: () => step(-forward),
    '+': () => void (zoom.value = zoomed(zoom.peek(), zoomStep)),
    '=': () => void (zoom.value = zoomed(zoom.peek(), zoomStep)),
    '-': () => void (zoom.value = zoomed(zoom.peek(), 1 / zoomStep)),
    '0': () => void (zoom.value = whole),
  };
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
