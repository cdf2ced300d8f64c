import { describe, expect, it } from 'vitest';
import { seeded } from '../../../kit/seeded.ts';
import { SyntheticCluster } from '../testing/synthetic.ts';
import type { TelemetryMessage } from '@claret/client/telemetry';
import { Recorder } from './recorder.ts';
import { fileNameOf, readRecording, writeRecording, type Recording } from './recording.ts';

const SMALL = { hotRecords: 2, conflicts: 2, waiters: 2, samples: 1 };
const HEADER = { name: 'bid spike', made_at_ms: 1_700_000_000_000 };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const gzip = (text: string) => new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
const linesOf = (messages: Iterable<TelemetryMessage>) => [...messages].map((message) => bytesOf(JSON.stringify(message)));

async function opened(file: Blob): Promise<Recording> {
  const read = await readRecording(file);
  if ('problem' in read) throw new Error(read.problem.code);
  return read.recording;
}

const messagesIn = ({ lines }: Recording) => lines.map((line) => JSON.parse(new TextDecoder().decode(line)) as TelemetryMessage);

describe('a recording', () => {
  it('is read as it was written', async () => {
    const messages = [...new SyntheticCluster(SMALL).messages(30)];
    const recording = await opened(await writeRecording(HEADER, linesOf(messages)));
    expect(recording).toMatchObject({ ...HEADER, malformed: 0, isCutOff: false });
    expect(messagesIn(recording)).toEqual(messages);
    expect([...recording.times]).toEqual(messages.map(({ at_ms }) => at_ms));
  });

  it('that is cut off anywhere is read up to the cut, and reported as cut off', async () => {
    const seed = `${Date.now()}`;
    const chance = seeded(seed);
    const messages = [...new SyntheticCluster(SMALL).messages(60)];
    const file = await writeRecording(HEADER, linesOf(messages));
    let readable = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const read = await readRecording(file.slice(0, chance.integer(0, file.size - 1)));
      if ('problem' in read) {
        expect(['not_a_recording', 'empty'], `seed ${seed}`).toContain(read.problem.code);
        continue;
      }
      readable += 1;
      expect(read.recording, `seed ${seed}`).toMatchObject({ isCutOff: true, malformed: 0 });
      expect(messagesIn(read.recording)).toEqual(messages.slice(0, read.recording.lines.length));
    }
    expect(readable, `seed ${seed}`).toBeGreaterThan(5);
  });

  it('that is damaged anywhere never throws, and never plays unreadable lines', async () => {
    const seed = `${Date.now()}`;
    const chance = seeded(seed);
    const file = new Uint8Array(await (await writeRecording(HEADER, linesOf(new SyntheticCluster(SMALL).messages(20)))).arrayBuffer());
    for (let turn = 0; turn < 60; turn += 1) {
      const bytes = file.slice();
      for (let times = chance.integer(1, 4); times > 0; times -= 1) bytes[chance.integer(0, bytes.length - 1)] = chance.integer(0, 255);
      const read = await readRecording(new Blob([bytes]));
      if ('problem' in read) expect(['not_a_recording', 'empty', 'other_version'], `seed ${seed}`).toContain(read.problem.code);
      else for (const message of messagesIn(read.recording)) expect(message.at_ms, `seed ${seed}`).toBeTypeOf('number');
    }
  });

  it('keeps the readable lines around unreadable ones, and counts the unreadable ones', async () => {
    const [welcome, one, two] = [...new SyntheticCluster(SMALL).messages(2)].map((message) => JSON.stringify(message));
    const recording = await opened(
      await gzip(['{"recording":1,"made_at_ms":1,"name":"x"}', welcome, 'nonsense', one, '{"kind":"frame"}', two, ''].join('\n')),
    );
    expect(recording).toMatchObject({ malformed: 2, isCutOff: false });
    expect(recording.lines).toHaveLength(3);
  });

  it('may be uncompressed, because a server may decompress it', async () => {
    const messages = [...new SyntheticCluster(SMALL).messages(3)].map((message) => JSON.stringify(message));
    const text = ['{"recording":1,"made_at_ms":1,"name":"plain"}', ...messages].join('\n');
    expect(await opened(new Blob([text]))).toMatchObject({ name: 'plain', isCutOff: false });
  });

  it.each([
    ['nothing', '', 'not_a_recording'],
    ['a picture', 'GIF89a', 'not_a_recording'],
    ['other JSON', '{"hello":1}', 'not_a_recording'],
    ['a header alone', '{"recording":1,"made_at_ms":1,"name":"x"}\n', 'empty'],
    ['a header and nonsense', '{"recording":1}\n{"a":1}\n{"b":1}', 'empty'],
  ])('is not %s', async (_, text, code) => {
    for (const file of [new Blob([text]), await gzip(text)]) expect(await readRecording(file)).toEqual({ problem: { code } });
  });

  it('of another version reports that version', async () => {
    const [welcome] = [...new SyntheticCluster(SMALL).messages(0)];
    expect(await readRecording(new Blob(['{"recording":2}']))).toEqual({ problem: { code: 'other_version', version: 2, ours: 1 } });
    const other = `{"recording":1,"made_at_ms":1,"name":"x"}\n${JSON.stringify({ ...welcome, version: 9 })}`;
    expect(await readRecording(await gzip(other))).toEqual({ problem: { code: 'other_version', version: 9, ours: 1 } });
  });

  it('has a name that any file system accepts', () => {
    expect(fileNameOf('Claret 2026-11-21 15:40')).toBe('claret-2026-11-21-15-40.claret.gz');
    expect(fileNameOf('../../etc/passwd')).toBe('etc-passwd.claret.gz');
    expect(fileNameOf('शोर')).toBe('recording.claret.gz');
  });
});

describe('the recorder', () => {
  const take = (recorder: Recorder, message: TelemetryMessage) => recorder.take(message, JSON.stringify(message));

  it('keeps ten minutes, and begins with the state at that time', async () => {
    const cluster = new SyntheticCluster({ ...SMALL, frame_ms: 10_000 });
    const recorder = new Recorder();
    take(recorder, cluster.welcome());
    take(recorder, cluster.change({ locks: 'rw', phasing: false }));
    for (let frame = 0; frame < 100; frame += 1) take(recorder, cluster.frame());
    const messages = messagesIn(await opened(await writeRecording(HEADER, recorder.messages())));
    expect(messages[0]).toMatchObject({ kind: 'welcome', conditions: { locks: 'rw', phasing: false } });
    const frames = messages.slice(1);
    expect(frames).toHaveLength(61);
    expect(frames.at(-1)!.at_ms - frames[0]!.at_ms).toBe(600_000);
  });

  it('never holds more than its limit of bytes, except for the newest message', () => {
    const cluster = new SyntheticCluster({ ...SMALL, hotRecords: 20 });
    const recorder = new Recorder(100_000);
    const plain = { ...cluster.frame(), shards: [] };
    take(recorder, cluster.welcome());
    for (let frame = 0; frame < 3_000; frame += 1) {
      const message = frame % 50 === 0 ? cluster.frame() : { ...plain, number: frame };
      take(recorder, message);
      expect(recorder.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(recorder.bytes).toBeGreaterThan(50_000);
    const tiny = new Recorder(10);
    take(tiny, cluster.welcome());
    take(tiny, cluster.frame());
    expect(tiny.messages()).toHaveLength(2);
  });
});
