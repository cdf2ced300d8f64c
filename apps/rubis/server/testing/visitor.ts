// For tests: a visitor of the auction site.
import { SiteVisitor, type Answer } from '@claret/site/testing/visitor.ts';

const LOOKS_MAX = 20;

export class Visitor extends SiteVisitor {
  /** Retries if the site was too busy on a loaded machine. */
  override async get(url: string): Promise<Answer> {
    for (let looks = 1; ; looks++) {
      const answer = await super.get(url);
      if (answer.body.code !== 'busy' || looks === LOOKS_MAX) return answer;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  register(nickname: string): Promise<this> {
    return this.signUp({ nickname, password: 'correct horse', region_id: 'ny-albany' });
  }

  async sell(fields: Record<string, unknown> = {}): Promise<string> {
    const sale = { title: 'Green Lamp', description: 'It shines.', category_id: 'home', start_price_cents: 10_00, duration_minutes: 60 };
    const answer = await this.post('/api/items', { ...sale, ...fields });
    if (answer.status !== 201) throw new Error(answer.raw.body);
    return String(answer.body['item_id']);
  }
}
