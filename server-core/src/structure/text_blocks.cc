#include "structure/text_blocks.h"

#include <absl/hash/hash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

namespace claret {

namespace {

std::uint8_t tag_of(std::string_view text) { return static_cast<std::uint8_t>(absl::HashOf(text)); }

// Numbers are in the order of the texts' bytes. Of equal ones the texts may differ: one that is shorter counts as if zeros followed.
std::uint64_t first_eight(std::string_view text) {
  std::uint64_t number = 0;
  std::memcpy(&number, text.data(), std::min(text.size(), sizeof number));
  return std::endian::native == std::endian::little ? __builtin_bswap64(number) : number;
}

std::string common_beginning(const std::string& first, const std::string& second) {
  return {first.begin(), std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first};
}

}  // namespace

// ---- one block ------------------------------------------------------------------------------------------------------------

std::optional<std::size_t> TextBlocks::Block::find(std::string_view text, std::uint8_t tag) const {
  const std::uint8_t* const end = tags.data() + tags.size();
  for (const std::uint8_t* at = tags.data(); at != end; ++at) {
    at = static_cast<const std::uint8_t*>(std::memchr(at, tag, static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    const auto place = static_cast<std::size_t>(at - tags.data());
    if (texts[place] == text) return place;
  }
  return std::nullopt;
}

void TextBlocks::Block::add(std::string_view text, std::uint8_t tag) {
  sorted = sorted && (texts.empty() || texts.back() < text);
  texts.emplace_back(text);
  tags.push_back(tag);
}

void TextBlocks::Block::remove(std::size_t place) {
  if (place + 1 != texts.size()) {
    texts[place] = std::move(texts.back());
    tags[place] = tags.back();
    sorted = false;
  }
  texts.pop_back();
  tags.pop_back();
}

void TextBlocks::Block::append(Block& next) {
  sorted = sorted && next.sorted;
  texts.insert(texts.end(), std::make_move_iterator(next.texts.begin()), std::make_move_iterator(next.texts.end()));
  tags.insert(tags.end(), next.tags.begin(), next.tags.end());
}

void TextBlocks::Block::sort() {
  if (std::exchange(sorted, true)) return;
  std::sort(texts.begin(), texts.end());
  std::transform(texts.begin(), texts.end(), tags.begin(), [](const std::string& text) { return tag_of(text); });
}

// ---- the directory --------------------------------------------------------------------------------------------------------

std::uint64_t TextBlocks::Directory::number_of(std::string_view text) const {
  return first_eight(text.substr(std::min(common.size(), text.size())));
}

std::size_t TextBlocks::Directory::count_up_to(std::string_view text) const {
  const int beside_common = text.substr(0, common.size()).compare(common);
  if (beside_common != 0) return beside_common < 0 ? 0 : blocks.size();
  const auto [first, last] = std::equal_range(numbers.begin(), numbers.end(), number_of(text));
  // Where the number says too little, the texts are compared.
  const auto alike = blocks.begin() + (first - numbers.begin());
  const auto behind = std::partition_point(alike, alike + (last - first), [&](const auto& one) { return one->least <= text; });
  return static_cast<std::size_t>(behind - blocks.begin());
}

void TextBlocks::Directory::add(std::size_t place, std::unique_ptr<Behind> block) {
  const auto at = static_cast<std::ptrdiff_t>(place);
  const std::string& least = (*blocks.insert(blocks.begin() + at, std::move(block)))->least;
  numbers.insert(numbers.begin() + at, number_of(least));
  if (blocks.size() == 1 || least.compare(0, common.size(), common) != 0) find_common();
}

void TextBlocks::Directory::remove(std::size_t place) {
  const auto at = static_cast<std::ptrdiff_t>(place);
  blocks.erase(blocks.begin() + at);
  numbers.erase(numbers.begin() + at);
}

void TextBlocks::Directory::find_common() {
  common = common_beginning(blocks.front()->least, blocks.back()->least);
  std::transform(blocks.begin(), blocks.end(), numbers.begin(), [this](const auto& one) { return number_of(one->least); });
}

// ---- all blocks -----------------------------------------------------------------------------------------------------------

bool TextBlocks::contains(std::string_view text) const { return block(index_of(text)).find(text, tag_of(text)).has_value(); }

const std::string* TextBlocks::last() const {
  if (empty()) return nullptr;
  Block& last = block(last_index());
  last.sort();
  return &last.texts.back();
}

bool TextBlocks::insert(std::string_view text) {
  const std::uint8_t tag = tag_of(text);
  std::size_t index = index_of(text);
  if (block(index).find(text, tag)) return false;
  if (const Block& full = block(index); full.is_full()) {
    if (index == last_index() && full.sorted && full.texts.back() < text) {
      // What is added in order fills one block after the other.
      auto next = std::make_unique<Behind>();
      next->least = text;
      add_behind(++index, std::move(next));
    } else {
      split(index);
      if (others_->blocks[index]->least <= text) ++index;
    }
  }
  block(index).add(text, tag);
  if (index != 0) ++others_->size;
  return true;
}

bool TextBlocks::erase(std::string_view text) {
  const std::size_t index = index_of(text);
  Block& from = block(index);
  const std::optional<std::size_t> place = from.find(text, tag_of(text));
  if (!place) return false;
  from.remove(*place);
  if (index != 0) --others_->size;
  if (from.texts.size() < kBlockSmall) shrink(index);
  return true;
}

void TextBlocks::walk_behind(const std::string* passed, absl::FunctionRef<bool(const std::string&)> each) const {
  for (std::size_t index = passed == nullptr ? 0 : index_of(*passed); index <= last_index(); ++index) {
    Block& here = block(index);
    here.sort();
    auto next = passed == nullptr ? here.texts.begin() : std::upper_bound(here.texts.begin(), here.texts.end(), *passed);
    for (; next != here.texts.end(); ++next) {
      if (!each(*next)) return;
    }
    passed = nullptr;
  }
}

void TextBlocks::add_behind(std::size_t index, std::unique_ptr<Behind> block) {
  if (others_ == nullptr) others_ = std::make_unique<Directory>();
  others_->size += block->block.texts.size();
  others_->add(index - 1, std::move(block));
}

std::bitset<TextBlocks::kBlockMax> TextBlocks::greater_half(std::size_t index) const {
  const Block& block = this->block(index);
  std::bitset<kBlockMax> greater;
  if (block.sorted) return ~greater << kBlockMax / 2;
  struct Place {
    std::uint64_t number;
    std::size_t place;
  };
  std::array<Place, kBlockMax> places;
  // What lies between two `least` begins as they do.
  const bool is_between = index != 0 && index != last_index();
  for (std::size_t i = 0; i < kBlockMax; ++i) {
    places[i] = {is_between ? others_->number_of(block.texts[i]) : first_eight(block.texts[i]), i};
  }
  const auto is_less = [&](const Place& one, const Place& other) {
    return one.number != other.number ? one.number < other.number : block.texts[one.place] < block.texts[other.place];
  };
  std::nth_element(places.begin(), places.begin() + kBlockMax / 2, places.end(), is_less);
  for (std::size_t i = kBlockMax / 2; i < kBlockMax; ++i) greater.set(places[i].place);
  return greater;
}

void TextBlocks::split(std::size_t index) {
  Block& low = block(index);
  const std::bitset<kBlockMax> leaves = greater_half(index);
  auto behind = std::make_unique<Behind>();
  Block& high = behind->block;
  high.sorted = low.sorted;
  std::size_t stay = 0;
  for (std::size_t i = 0; i < kBlockMax; ++i) {
    if (leaves[i]) {
      high.texts.push_back(std::move(low.texts[i]));
      high.tags.push_back(low.tags[i]);
      continue;
    }
    if (stay != i) low.texts[stay] = std::move(low.texts[i]);
    low.tags[stay++] = low.tags[i];
  }
  low.texts.resize(stay);
  low.tags.resize(stay);
  behind->least = *std::min_element(high.texts.begin(), high.texts.end());
  if (index != 0) others_->size -= high.texts.size();
  add_behind(index + 1, std::move(behind));
}

void TextBlocks::shrink(std::size_t index) {
  const auto both_are_small = [&](std::size_t low) {
    return low < last_index() && block(low).texts.size() + block(low + 1).texts.size() <= 2 * kBlockSmall;
  };
  if (both_are_small(index)) return join_next(index);
  if (index != 0 && (both_are_small(index - 1) || block(index).texts.empty())) return join_next(index - 1);
  if (block(index).texts.empty() && index < last_index()) join_next(index);
}

void TextBlocks::join_next(std::size_t index) {
  Block& next = block(index + 1);
  if (index == 0) others_->size -= next.texts.size();
  block(index).append(next);
  others_->remove(index);
  if (others_->blocks.empty()) others_.reset();
}

}  // namespace claret
