// Saves the last minutes as a file, and opens such a file. If a file cannot be read, the user is told, and the page keeps showing
// what it showed.
import { Button, useToast } from '@claret/ui/kit';
import { Download, FolderOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { fileNameOf } from '../feed/recording.ts';
import { useFeed, useFeedControls } from '../feed/useFeed.tsx';
import { problemWords } from './problemWords.ts';

/** `nameClass`: the class of the buttons' names, which a narrow bar hides visually. */
export function RecordingButtons({ nameClass }: { nameClass: string | undefined }) {
  const { problem, isOpening } = useFeed();
  const feed = useFeedControls();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const [isSaving, setIsSaving] = useState(false);
  useEffect(() => {
    if (problem !== null && problem.code !== 'unreachable')
      toast({ tone: 'bad', title: 'Could not open the file', text: problemWords(problem), key: 'recording' });
  }, [problem, toast]);
  const save = async () => {
    setIsSaving(true);
    const now = new Date();
    const name = `Claret ${now.toISOString().slice(0, 16).replace('T', ' ')}`;
    const file = await feed.save(name, now.getTime()).finally(() => setIsSaving(false));
    if (file === null) toast({ title: 'Nothing to save yet', text: 'No telemetry has arrived yet.', key: 'recording' });
    else download(file, fileNameOf(name));
  };
  return (
    <>
      <Button look="quiet" size="small" isBusy={isSaving} title="Save the last ten minutes as a file" onClick={() => void save()}>
        <Download size={16} aria-hidden="true" /> <span className={nameClass}>Save</span>
      </Button>
      <Button look="quiet" size="small" isBusy={isOpening} title="Open a saved recording" onClick={() => input.current?.click()}>
        <FolderOpen size={16} aria-hidden="true" /> <span className={nameClass}>Open</span>
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Recording"
        accept=".gz"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void feed.open(file);
        }}
      />
    </>
  );
}

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Later, when the browser has read the blob; there is no event for that.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
