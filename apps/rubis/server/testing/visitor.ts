// For tests: a visitor of the auction site.
import { SiteVisitor } from '@claret/site/testing/visitor.ts';

export class Visitor extends SiteVisitor {
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
