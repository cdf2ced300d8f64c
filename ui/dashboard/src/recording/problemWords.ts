import type { RecordingProblem } from '../feed/recording.ts';

/** Why a recording was not opened, and what would help. What was shown is still shown. */
export function problemWords(problem: RecordingProblem): string {
  switch (problem.code) {
    case 'not_a_recording':
      return 'This file is no recording of a Claret cluster. Recordings are saved here, and end in .claret.gz.';
    case 'other_version':
      return `This recording is of version ${problem.version}; this page reads version ${problem.ours}. The Claret it comes from opens it.`;
    case 'too_large':
      return 'This file is larger than a recording can be.';
    case 'empty':
      return 'This recording ends before anything was recorded.';
    case 'unreachable':
      return 'The file could not be read.';
  }
}
