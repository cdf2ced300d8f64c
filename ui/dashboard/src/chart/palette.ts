// Palette: the style tokens as concrete colours, as a canvas needs them. There is one palette at a time; a change of theme, by the
// user or the system, creates another.

import './modes.css';
import { heatRamp, type HeatStep } from './heatRamp.ts';
import { modeLook, type ModeLook } from './modes.ts';
import { patternTile } from './patterns.ts';

export interface ModePaint {
  look: ModeLook;
  colour: string;
  /** the colour as one pixel of ImageData */
  pixel: number;
  /** its pattern over its colour, for a context whose unit is a CSS pixel */
  fill(context: CanvasRenderingContext2D): CanvasPattern | string;
}

const TOKENS = {
  page: '--page',
  surface: '--surface',
  sunken: '--sunken',
  pressed: '--pressed',
  line: '--line',
  lineStrong: '--line-strong',
  ink: '--ink',
  inkSoft: '--ink-soft',
  inkFaint: '--ink-faint',
  accent: '--accent',
  accentInk: '--accent-ink',
  accentSoft: '--accent-soft',
  good: '--good',
  warn: '--warn',
  bad: '--bad',
  highlight: '--highlight',
  onMode: '--on-mode',
} as const;

export interface Palette extends Readonly<Record<keyof typeof TOKENS, string>> {
  readonly isDark: boolean;
  /** font families, for `context.font` */
  readonly sans: string;
  readonly mono: string;
  readonly heat: readonly HeatStep[];
  mode(name: string): ModePaint;
  /** Any colour as one pixel of ImageData, in this machine's byte order. */
  pixel(colour: string): number;
}

let current: Palette | null = null;
let isWatching = false;
const listeners = new Set<() => void>();

/** The current palette; a new object after each change of colours. */
export function palette(): Palette {
  watchTheme();
  current ??= readPalette();
  return current;
}

/** Calls back when `palette()` has changed; returns a function that unsubscribes. */
export function onPalette(listener: () => void): () => void {
  watchTheme();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function watchTheme(): void {
  if (isWatching) return;
  isWatching = true;
  const changed = () => {
    current = null;
    for (const listener of listeners) listener();
  };
  new MutationObserver(changed).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) matchMedia(query).addEventListener('change', changed);
}

function readPalette(): Palette {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.hidden = true;
  // A custom property is returned as written, including light-dark(); a colour property is computed.
  const colourOf = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(Object.entries(TOKENS).map(([name, token]) => [name, colourOf(token)]));
  const pixel = pixelReader();
  const isDark = brightness(pixel(colours['page']!)) < 128;
  const modes = new Map<string, ModePaint>();
  const mode = (name: string): ModePaint => {
    let paint = modes.get(name);
    if (paint === undefined) modes.set(name, (paint = modePaint(modeLook(name), palette().onMode, pixel)));
    return paint;
  };
  probe.remove();
  return {
    ...(colours as Record<keyof typeof TOKENS, string>),
    isDark,
    sans: style.getPropertyValue('--sans').trim(),
    mono: style.getPropertyValue('--mono').trim(),
    heat: heatRamp(isDark),
    mode,
    pixel,
  };
}

function tokenColour(token: string): string {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.hidden = true;
  probe.style.color = `var(${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function modePaint(look: ModeLook, ink: string, pixel: (colour: string) => number): ModePaint {
  const colour = tokenColour(look.token);
  const fills = new Map<number, CanvasPattern | string>();
  const fill = (context: CanvasRenderingContext2D) => {
    const ratio = context.getTransform().a;
    let found = fills.get(ratio);
    if (found === undefined) fills.set(ratio, (found = patternTile(context, look.pattern, colour, ink, ratio)));
    return found;
  };
  return { look, colour, pixel: pixel(colour), fill };
}

function pixelReader(): (colour: string) => number {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  return (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0]!;
  };
}

const brightness = (pixel: number): number => {
  const [red, green, blue] = new Uint8Array(Uint32Array.of(pixel).buffer);
  return 0.3 * red! + 0.59 * green! + 0.11 * blue!;
};
