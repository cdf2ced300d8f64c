// LanePicture: draws all lanes of the phase view. Pixels first (laneRaster.ts), then the details of wide phases: pattern, name, a
// line at the beginning, and a notch if the time limit ended the phase; and a triangle where natives broke a holder.

import type { Drawing } from '../../chart/drawing.ts';
import type { ModePaint, Palette } from '../../chart/palette.ts';
import { LaneColumns, NATIVE_BROKE, type DrawnLane } from './laneColumns.ts';
import { COMB_GAP, LaneRaster, type LaneRows } from './laneRaster.ts';

/** in CSS pixels; `queue` 0 omits the queues */
export interface LaneHeights extends LaneRows {
  /** distance from one lane to the next */
  lane: number;
}

/** in narrower phases there are no letters or no full name */
const LETTERS_PX = 13;
const CHARACTER_PX = 7.3;
const NOTCH_PX = 4;
/** of a triangle where natives broke a holder, and the least distance of two */
const TRIANGLE_PX = { width: 7, height: 6, apart: 9 };

export class LanePicture {
  private readonly columns = new LaneColumns();
  private readonly raster = new LaneRaster();
  private readonly scratch = document.createElement('canvas');
  private image: ImageData | null = null;
  private colours = new Uint32Array(0);
  private paints: ModePaint[] = [];
  /** where natives broke a holder: the lane, and the device column */
  private breaks: { lane: number; column: number }[] = [];
  /** the number of claims that fills the height of a queue */
  depth_max = 1;

  /** Only visible lanes are drawn. `modes`: the names of the lanes' modes, by number. */
  draw(drawing: Drawing, lanes: readonly DrawnLane[], heights: LaneHeights, modes: readonly string[]): void {
    const { palette, ratio, time, seen } = drawing;
    const first = Math.max(0, Math.floor(seen.top / heights.lane));
    const shown = lanes.slice(first, Math.ceil(seen.bottom / heights.lane));
    if (shown.length === 0) return;
    this.readColours(palette, modes);
    const rows = (pixels: number) => Math.round(pixels * ratio);
    const lane: LaneRows = {
      queue: rows(heights.queue),
      warranty: rows(heights.warranty),
      rail: rows(heights.rail),
      band: rows(heights.band),
      comb: rows(heights.comb),
    };
    this.raster.resize(Math.max(1, rows(time.right - time.left)), rows(shown.length * heights.lane), lane);
    const deepest = niceDepth(this.fillRaster(drawing, shown, heights.lane));
    if (deepest !== this.depth_max && heights.queue > 0) {
      this.depth_max = deepest;
      this.fillRaster(drawing, shown, heights.lane);
    }
    const top = rows(first * heights.lane) / ratio;
    this.putRaster(drawing, top);
    this.drawWides(drawing, lane, heights.lane, top);
    if (heights.comb > 0) this.drawBreaks(drawing, lane, heights.lane, top);
  }

  private readColours(palette: Palette, modes: readonly string[]): void {
    if (this.colours.length < modes.length) this.colours = new Uint32Array(modes.length);
    this.paints.length = modes.length;
    for (let mode = 0; mode < modes.length; mode += 1) {
      const paint = palette.mode(modes[mode]!);
      this.paints[mode] = paint;
      this.colours[mode] = paint.pixel;
    }
  }

  /** Returns the greatest depth of the queues. */
  private fillRaster({ time, ratio, store, palette }: Drawing, lanes: readonly DrawnLane[], pitch: number): number {
    const newest_ms = store.newest_ms ?? time.to_ms;
    const firstColumn = Math.round((time.from_ms * ratio) / time.ms_per_px);
    const inks = { ink: palette.pixel(palette.ink), standing: palette.pixel(palette.good), recalled: palette.pixel(palette.bad) };
    let deepest = 0;
    this.columns.begin();
    this.breaks.length = 0;
    this.raster.clear();
    for (let index = 0; index < lanes.length; index += 1) {
      this.columns.read(index, lanes[index]!, time, ratio, this.paints.length, newest_ms);
      this.raster.draw(Math.round(index * pitch * ratio), this.columns, this.colours, inks, this.depth_max, firstColumn);
      deepest = Math.max(deepest, this.columns.depth_max);
      this.findBreaks(index, TRIANGLE_PX.apart * ratio);
    }
    return deepest;
  }

  /** One triangle stands for all breaks nearby. */
  private findBreaks(lane: number, apart: number): void {
    const { columns, nativeMarks } = this.columns;
    let next = 0;
    for (let column = 0; column < columns; column += 1) {
      if (column < next || (nativeMarks[column]! & NATIVE_BROKE) === 0) continue;
      this.breaks.push({ lane, column });
      next = column + apart;
    }
  }

  /** The triangles stand on the comb and point at the phase that was broken. */
  private drawBreaks({ context, palette, time, ratio }: Drawing, rows: LaneRows, pitch: number, top: number): void {
    const { width, height } = TRIANGLE_PX;
    context.beginPath();
    for (const { lane, column } of this.breaks) {
      const x = time.left + column / ratio;
      const foot = top + (Math.round(lane * pitch * ratio) + aboveBand(rows) + rows.band + COMB_GAP + rows.comb) / ratio;
      context.moveTo(x, foot);
      context.lineTo(x + width / 2, foot - height);
      context.lineTo(x + width, foot);
      context.closePath();
    }
    context.strokeStyle = palette.surface;
    context.lineWidth = 2;
    context.stroke();
    context.fillStyle = palette.bad;
    context.fill();
  }

  private putRaster({ context, time, ratio }: Drawing, top: number): void {
    const { scratch, raster } = this;
    const { width, height } = raster;
    if (this.image === null || this.image.data.buffer !== raster.pixels.buffer || this.image.width !== width) {
      this.image = new ImageData(new Uint8ClampedArray(raster.pixels.buffer), width, height);
      scratch.width = width;
      scratch.height = height;
    }
    scratch.getContext('2d')!.putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(scratch, time.left, top, width / ratio, height / ratio);
  }

  private drawWides({ context, palette, time, ratio }: Drawing, rows: LaneRows, pitch: number, top: number): void {
    const { wides, columns } = this.columns;
    const height = rows.band / ratio;
    const bandTop = (lane: number) => top + (Math.round(lane * pitch * ratio) + aboveBand(rows)) / ratio;
    context.font = `600 ${Math.min(12, height)}px ${palette.mono}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (let wide = 0; wide < wides.count; wide += 1) {
      const paint = this.paints[wides.mode[wide]!]!;
      const from = time.left + Math.ceil(Math.max(0, wides.from[wide]!)) / ratio;
      const width = time.left + Math.floor(Math.min(columns, wides.to[wide]!)) / ratio - from;
      const y = bandTop(wides.lane[wide]!);
      if (paint.look.pattern !== 'plain') {
        context.fillStyle = paint.fill(context);
        context.fillRect(from, y, width, height);
      }
      if (wides.from[wide]! > 0) {
        context.fillStyle = palette.surface;
        context.fillRect(from, y, 1, height);
      }
      if (width >= LETTERS_PX && height >= 8) writeName(context, paint, palette.onMode, from + 3, y, width - 4, height);
    }
    this.drawNotches(context, palette.ink, time.left, ratio, bandTop);
  }

  private drawNotches(
    context: CanvasRenderingContext2D,
    ink: string,
    left: number,
    ratio: number,
    bandTop: (lane: number) => number,
  ): void {
    const { wides, columns } = this.columns;
    context.fillStyle = ink;
    context.beginPath();
    for (let wide = 0; wide < wides.count; wide += 1) {
      if (wides.isCapped[wide] === 0 || wides.to[wide]! > columns) continue;
      const x = left + wides.to[wide]! / ratio;
      const y = bandTop(wides.lane[wide]!);
      context.moveTo(x - NOTCH_PX, y - 2);
      context.lineTo(x, y - 2);
      context.lineTo(x, y + NOTCH_PX);
    }
    context.fill();
  }
}

/** the height of what is above the band of modes */
export const aboveBand = ({ queue, warranty, rail }: LaneRows): number => queue + warranty + rail;

function writeName(
  context: CanvasRenderingContext2D,
  { look, colour }: ModePaint,
  ink: string,
  x: number,
  y: number,
  room: number,
  height: number,
): void {
  const text = look.name.length * CHARACTER_PX <= room - 2 ? look.name : look.letters;
  const width = text.length * CHARACTER_PX;
  if (width > room) return;
  context.fillStyle = colour;
  context.fillRect(x - 1, y, width + 2, height);
  context.fillStyle = ink;
  context.fillText(text, x, y + height / 2 + 0.5);
}

/** The next 1, 2 or 5 times a power of ten: a scale that does not change with every claim. */
function niceDepth(depth: number): number {
  if (depth <= 5) return 5;
  const power = 10 ** Math.floor(Math.log10(depth));
  return depth <= power ? power : depth <= 2 * power ? 2 * power : depth <= 5 * power ? 5 * power : 10 * power;
}
