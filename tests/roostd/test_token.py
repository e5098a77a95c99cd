from roostd.token import hash_token, matches, new_token


def test_a_token_is_256_random_bits_of_which_the_hash_is_kept() -> None:
    one, other = new_token(), new_token()
    assert len(bytes.fromhex(one)) == 32
    assert one != other
    assert matches(one, hash_token(one))
    assert not matches(other, hash_token(one))
    assert one not in hash_token(one)


def test_any_text_is_no_token() -> None:
    assert not matches("\ud800", hash_token(new_token()))
