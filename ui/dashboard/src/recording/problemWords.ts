import type { RecordingProblem } from '../feed/recording.ts';

/** Why a recording was not opened, and what would help. */
export function problemWords(problem: RecordingProblem): string {
  switch (problem.code) {
    case 'not_a_recording':
      return 'This file is not a Claret recording. Recordings are saved here and end in .claret.gz.';
    case 'other_version':
      return `This recording has version ${problem.version}, and this page reads version ${problem.ours}. Open it with the Claret that saved it.`;
    case 'too_large':
      return 'This file is too large for a recording.';
    case 'empty':
      return 'This recording ends before anything was recorded.';
    case 'unreachable':
      return 'The file could not be read.';
  }
}
