// The page: what is asked comes once from /api/polls, the counts come from /api/live and never from a click. All texts are set as text.
const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent' });

const RECONNECT_MS = 5_000;
const ATTEMPTS = 3;
/** id of a poll → what shows its state */
const shown = new Map();

function copyOf(template) {
  return $(template).content.firstElementChild.cloneNode(true);
}

function tell(text, isProblem = false) {
  $('note').textContent = text;
  $('note').dataset.kind = isProblem ? 'problem' : '';
}

function setState(state, text) {
  if ($('state').dataset.state === state) return;
  $('state').dataset.state = state;
  $('state').textContent = text;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends a change. After "nothing has happened" (503) it is sent again when the server says so. `safe`: also after an answer that was lost,
 * since it cannot count twice. Rejects with a sentence.
 */
async function send(path, body, safe) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).catch(
      () => null,
    );
    if (answer?.ok) return;
    const problem = await answer?.json().catch(() => null);
    const again = answer?.status === 503 || (safe && (answer === null || answer.status >= 502));
    if (!again || attempt === ATTEMPTS) throw new Error(problem?.detail ?? 'The server cannot be reached.');
    tell('Not done yet. Trying again …');
    await sleep(1000 * Number(answer?.headers.get('retry-after') ?? 1));
  }
}

function showPoll({ id, question, options, choice }, reactions) {
  const section = copyOf('poll');
  section.querySelector('h2').textContent = question;
  section.querySelector('h2').id = `question-${id}`;
  section.setAttribute('aria-labelledby', `question-${id}`);
  const buttons = options.map((option) => showOption(id, option, (voted) => mark(voted)));
  const mark = (voted) => {
    for (const [at, button] of buttons.entries()) button.setAttribute('aria-pressed', String(options[at].id === voted));
  };
  mark(choice);
  section.querySelector('.options').append(...buttons.map((button) => button.parentElement));
  section.querySelector('.reactions').append(...reactions.map((reaction) => showReaction(id, reaction)));
  $('polls').append(section);
  shown.set(id, section);
}

function showOption(poll, { id, text }, mark) {
  const button = copyOf('option').firstElementChild;
  button.dataset.id = id;
  button.querySelector('.text').textContent = text;
  button.addEventListener('click', async () => {
    const section = shown.get(poll);
    if (section.dataset.busy === 'yes') return; // one vote at a time, so that the last click is the last vote
    section.dataset.busy = 'yes';
    const before = section.querySelector('.option[aria-pressed=true]')?.dataset.id ?? null;
    mark(id);
    try {
      await send('/api/votes', { poll, option: id }, true);
      tell(`Your vote: ${text}. You may change it.`);
    } catch (error) {
      mark(before);
      tell(error.message, true);
    }
    section.dataset.busy = 'no';
  });
  return button;
}

function showReaction(poll, { id, emoji, name }) {
  const item = copyOf('reaction');
  item.dataset.id = id;
  item.querySelector('.emoji').textContent = emoji;
  item.querySelector('.name').textContent = name;
  item.firstElementChild.title = name;
  item.firstElementChild.addEventListener('click', () =>
    send('/api/reactions', { poll, reaction: id }, false).then(
      () => tell(''),
      (error) => tell(error.message, true),
    ),
  );
  return item;
}

function showCounts({ live, polls }) {
  if (live) setState('live', 'Live');
  else setState('away', 'The store cannot be reached: these counts may be old');
  for (const [id, { votes, reactions }] of Object.entries(polls)) {
    const section = shown.get(id);
    if (section === undefined) continue;
    const total = Object.values(votes).reduce((sum, each) => sum + each, 0);
    for (const button of section.querySelectorAll('.option')) {
      const count = votes[button.dataset.id] ?? 0;
      const share = total === 0 ? 0 : count / total;
      button.querySelector('.bar').style.setProperty('--share', share);
      button.querySelector('.count').textContent = total === 0 ? '0' : `${number.format(count)} · ${percent.format(share)}`;
    }
    section.querySelector('.total').textContent =
      total === 0 ? 'No votes yet. Be the first.' : `${number.format(total)} ${total === 1 ? 'vote' : 'votes'}`;
    for (const item of section.querySelectorAll('.reactions > li')) {
      item.querySelector('.count').textContent = number.format(reactions[item.dataset.id] ?? 0);
    }
  }
}

function follow() {
  const stream = new EventSource('/api/live');
  stream.addEventListener('message', ({ data }) => showCounts(JSON.parse(data)));
  stream.addEventListener('error', () => {
    setState('waiting', 'Connecting again …');
    if (stream.readyState !== EventSource.CLOSED) return; // the browser connects again by itself, but not after a refusal
    setTimeout(follow, RECONNECT_MS);
  });
}

async function start() {
  for (;;) {
    const answer = await fetch('/api/polls').catch(() => null);
    if (answer?.ok) {
      const { polls, reactions } = await answer.json();
      for (const poll of polls) showPoll(poll, reactions);
      tell('');
      return follow();
    }
    tell('The poll cannot be loaded at the moment. Trying again …', true);
    await sleep(RECONNECT_MS);
  }
}

await start();
