import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { forgetPerson, hear, SILENT } from './liveState.ts';

const say = <Name extends keyof api.LiveEvents>(state: typeof SILENT, name: Name, event: Partial<api.LiveEvents[Name]>) =>
  hear(state, name, event);

describe('the state of the live stream', () => {
  it('keeps the newest state of each post and person', () => {
    let state = say(SILENT, 'post', { post_id: '7', reposts: 1 });
    state = say(state, 'post', { post_id: '8', reposts: 5 });
    state = say(state, 'post', { post_id: '7', reposts: 2 });
    state = say(state, 'user', { user_id: 'ada', followers: 3, following: 1 });
    state = say(state, 'timeline', { entries: [{ id: 'a', at_ms: 1 }] });
    state = say(state, 'timeline', { entries: [] });
    state = say(state, 'latest', { entries: [{ id: 'b', at_ms: 2 }] });
    state = say(state, 'trending', { post_ids: ['8', '7'] });
    expect(state.posts.get('7')?.reposts).toBe(2);
    expect(state.posts.get('8')?.reposts).toBe(5);
    expect(state.users.get('ada')).toEqual({ user_id: 'ada', followers: 3, following: 1 });
    expect(state.timeline?.entries).toEqual([]);
    expect(state.latest?.entries).toHaveLength(1);
    expect(state.trending?.post_ids).toEqual(['8', '7']);
    expect(SILENT.posts.size).toBe(0);
  });
  it('drops the states that were updated longest ago, so that an open page does not grow', () => {
    let state = SILENT;
    for (let i = 0; i < 500; i++) state = say(state, 'post', { post_id: `p${i}`, reposts: 1 });
    expect(state.posts.size).toBe(400);
    expect(state.posts.has('p499')).toBe(true);
    expect(state.posts.has('p0')).toBe(false);
  });
  it('drops the timeline of the person who was logged in before', () => {
    const heard = say(say(SILENT, 'timeline', { entries: [{ id: 'a', at_ms: 1 }] }), 'post', { post_id: '7', reposts: 3 });
    expect(forgetPerson(heard).timeline).toBeNull();
    expect(forgetPerson(heard).posts).toBe(heard.posts);
  });
  it('ignores unknown events', () => {
    expect(hear(SILENT, 'weather', {})).toBe(SILENT);
  });
});
